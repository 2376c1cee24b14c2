// Undo of a decision, in the message that confirms it: it changes the card that shows the answer, else opens its panel.
import { behaviour } from "../behaviours.js";

behaviour("form[data-undo]", (undo) => {
  const message = undo.closest("[data-message]");
  for (const other of document.querySelectorAll("[data-message]:has(form[data-undo])")) if (other !== message) other.remove();
  undo.addEventListener("submit", () => {
    const isShown = document.querySelector(`[data-decision="${CSS.escape(undo.dataset.undo)}"]`);
    undo.setAttribute("hx-target", isShown || !document.getElementById("panel") ? "#decision" : "#panel");
  }, true);
  undo.addEventListener("htmx:afterRequest", (event) => event.detail.successful && message.remove());
});
