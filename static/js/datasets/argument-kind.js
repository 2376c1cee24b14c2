// An argument's value is text or JSON. Switching keeps what is meant: words gain quotes, a quoted text loses them.
import { behaviour } from "../behaviours.js";

function parsed(text) {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

behaviour("[data-argument]", (row) => {
  const kind = row.querySelector("[data-argument-kind]");
  const text = row.querySelector(".argument-value textarea");
  const show = () => {
    text.classList.toggle("textarea-code", kind.value === "json");
    text.spellcheck = kind.value !== "json";
  };
  kind.addEventListener("change", () => {
    const json = parsed(text.value);
    if (kind.value === "json" && !json && text.value) text.value = JSON.stringify(text.value);
    if (kind.value === "text" && typeof json?.value === "string") text.value = json.value;
    show();
  });
  kind.addEventListener("unsaved:filled", show);
  show();
});
