// The case as fields or as JSON: the server converts; here only a kept copy or a reset shows the part it belongs to.
import { behaviour } from "../behaviours.js";

behaviour("form[data-case-form]", (form) => {
  const mode = form.elements.namedItem("mode");
  const switcher = form.querySelector("[data-mode-switch]");
  const kept = Object.fromEntries(["mode", "base_revision"].map((name) => [name, form.elements.namedItem(name).value]));

  const show = (name) => {
    for (const part of form.querySelectorAll("[data-mode]")) part.disabled = part.hidden = part.dataset.mode !== name;
    switcher?.querySelector("span").replaceChildren(name === "json" ? switcher.dataset.toFields : switcher.dataset.toJson);
  };

  form.addEventListener("unsaved:restore", (event) => show(new Map(event.detail.entries).get("mode") ?? mode.value));
  form.addEventListener("reset", () => {
    for (const [name, value] of Object.entries(kept)) form.elements.namedItem(name).value = value;
    show(kept.mode);
  });
});
