// The case as fields or as JSON: the server converts; here only a kept copy or a reset shows the part it belongs to.
import { behaviour } from "../behaviours.js";

behaviour("form[data-case-form]", (form) => {
  const mode = form.elements.namedItem("mode");
  const switcher = form.querySelector("[data-mode-switch]");
  const kept = [...form.querySelectorAll("input[type=hidden]")].filter((input) => /^(mode|base_)/.test(input.name)).map((input) => [input.name, input.value]);

  const show = (name) => {
    for (const part of form.querySelectorAll("[data-mode]")) part.disabled = part.hidden = part.dataset.mode !== name;
    switcher?.querySelector("span").replaceChildren(name === "json" ? switcher.dataset.toFields : switcher.dataset.toJson);
  };

  form.addEventListener("unsaved:restore", (event) => show(new Map(event.detail.entries).get("mode") ?? mode.value));
  form.addEventListener("reset", () => {
    for (const [name, value] of kept) form.elements.namedItem(name).value = value;
    show(mode.value);
  });
});
