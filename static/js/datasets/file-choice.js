// A file that is corrected and chosen again must be read again: browsers stay silent where the path is the same.
import { behaviour } from "../behaviours.js";

behaviour("input[type=file][data-choose-again]", (input) => {
  const outcome = document.querySelector(input.dataset.chooseAgain);
  input.addEventListener("click", () => (input.value = ""));
  input.addEventListener("cancel", () => outcome.replaceChildren());
  input.form.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful) input.value = "";
  });
});
