// The dialog that starts a test run: a choice that changes discards the estimate, and a new one is asked for.
import { behaviour } from "../behaviours.js";

behaviour("form[data-eval-start]", (form) => {
  const region = form.querySelector("[data-estimate]");
  form.addEventListener("input", (event) => {
    if (event.target.matches("[data-not-a-choice]")) return;
    region.dispatchEvent(new CustomEvent("htmx:abort")); // an answer to the choices of before would come too late
    region.replaceChildren(form.querySelector("template[data-estimating]").content.cloneNode(true));
    form.querySelector("#eval-start-sum").textContent = "";
    form.querySelector("[name=estimated]")?.remove();
    form.querySelector("[data-start]").disabled = true;
    form.dispatchEvent(new CustomEvent("choices-changed"));
  });
});
