// A check shows the fields of its type; what was written stays where the next type asks for the same.
import { behaviour } from "../behaviours.js";

const controlsOf = (field) => [...field.querySelectorAll("input, select, textarea")];

behaviour("[data-check]", (row) => {
  const type = row.querySelector("[data-check-type]");
  type?.addEventListener("change", () => {
    const fields = [...row.querySelectorAll("[data-field]")];
    const written = new Map(fields.flatMap(controlsOf).filter((control) => !control.disabled).map((control) => [control.name, control.value]));
    const shown = type.selectedOptions[0]?.dataset.fields.split(" ") ?? [];
    for (const field of fields) {
      field.hidden = !shown.includes(field.dataset.field);
      for (const control of controlsOf(field)) {
        const text = written.get(control.name);
        if (!field.hidden && control.disabled && !control.value && text && (control.matches("textarea") || /^[\d.]+$/.test(text))) control.value = text;
        control.disabled = field.hidden;
      }
    }
  });
});
