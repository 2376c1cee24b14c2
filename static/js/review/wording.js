// The suggested wording of a criterion takes the place of the note at one click.
import { behaviour } from "../behaviours.js";

behaviour("[data-wording]", (form) => {
  const text = form.querySelector("[data-wording-text]");
  const use = form.querySelector("[data-wording-use]");
  use?.addEventListener("click", () => {
    text.value = use.dataset.wordingUse;
    text.dispatchEvent(new Event("input", { bubbles: true }));
    text.focus();
    form.querySelector("[data-wording-offer]").hidden = true;
  });
});
