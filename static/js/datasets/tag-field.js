// Tags as pills with the dataset's own tags suggested: Tom Select on the field of commas, which stays the form's control.
import { behaviour } from "../behaviours.js";

behaviour("textarea[data-tags]", (field) => {
  if (!window.TomSelect) return;
  const known = [...field.value.split(","), ...field.dataset.tags.split("\n")].map((tag) => tag.trim()).filter(Boolean);
  const control = new window.TomSelect(field, {
    delimiter: ",",
    create: true,
    createOnBlur: true,
    addPrecedence: true,
    persist: false,
    plugins: ["remove_button"],
    options: known.map((tag) => ({ value: tag, text: tag })),
    refreshThrottle: 0,
    render: {
      no_results: null,
      option_create: (data, escape) => `<div class="create">${escape(field.dataset.tagsAdd)} <strong>${escape(data.input)}</strong></div>`,
    },
    onChange: () => field.dispatchEvent(new Event("input", { bubbles: true })),
  });
  for (const name of ["aria-describedby", "aria-invalid"]) {
    if (field.getAttribute(name)) control.control_input.setAttribute(name, field.getAttribute(name));
  }
  field.setAttribute("aria-hidden", "true");
  field.addEventListener("focus", () => control.focus());
  field.addEventListener("unsaved:filled", () => control.sync());
});
