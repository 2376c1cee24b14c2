// What the case form says about itself while it is written: which evaluators find something to read, whether the earlier
// conversation ends with the user's turn, and whether a criterion waits for a judge that is off.
import { behaviour } from "../behaviours.js";

const rowsOf = (form, name) => form.querySelector(`[data-row-list="${name}"] > [data-row-items]`)?.children;

/** Whether a field holds something; undefined where the form does not show the field. */
function holds(form, name) {
  const control = form.elements.namedItem(name);
  return control ? control.value.trim() !== "" : rowsOf(form, name) && rowsOf(form, name).length > 0;
}

behaviour("form[data-case-form]", (form) => {
  const warning = form.querySelector("[data-last-turn]");
  const judgeOff = form.querySelector("[data-judge-off]");
  form.addEventListener("input", () => {
    if (form.elements.namedItem("mode").value === "json") return;
    for (const one of form.querySelectorAll("[data-evaluator]")) one.toggleAttribute("data-applies", holds(form, one.dataset.evaluator) ?? "applies" in one.dataset);
    const last = [...(rowsOf(form, "history") ?? [])].at(-1);
    if (judgeOff) judgeOff.hidden = ![...form.querySelectorAll("[data-check-type]")].some((type) => type.value === "judge");
    if (warning) warning.hidden = last?.querySelector("select")?.value !== "user" || !last.querySelector("textarea").value.trim();
  });
});
