// A check shows the fields of its type, made from the server's template of all of them; what was written stays where the
// next type asks for the same.
import { behaviour, mount } from "../behaviours.js";

const controlOf = (field) => field.querySelector("input:not([type=hidden]), select, textarea");

function fieldsFor(row, key) {
  const template = row.closest("[data-row-list]").querySelector(":scope > template[data-check-template]");
  const parsed = document.createElement("template");
  parsed.innerHTML = template.innerHTML.replaceAll("__row__", key);
  return new Map([...parsed.content.children].map((field) => [field.dataset.field, field]));
}

behaviour("[data-check]", (row) => {
  const type = row.querySelector("[data-check-type]");
  const place = row.querySelector("[data-check-fields]");
  type?.addEventListener("change", () => {
    const before = new Map([...place.children].map((field) => [field.dataset.field, field]));
    const written = new Map([...before.values()].map((field) => [controlOf(field).name, controlOf(field).value]));
    const made = fieldsFor(row, type.name.split(".")[1]);
    const shown = type.selectedOptions[0].dataset.fields.split(" ").map((name) => before.get(name) ?? made.get(name));
    for (const control of shown.map(controlOf)) {
      const text = written.get(control.name);
      if (!control.value && text && (control.matches("textarea") || /^[\d.]+$/.test(text))) control.value = text;
    }
    place.replaceChildren(...shown);
    mount(place);
  });
});
