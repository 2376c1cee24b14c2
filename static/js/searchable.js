// A select that can be searched: Tom Select on a native select, which stays the form's control.
import { behaviour } from "./behaviours.js";

behaviour("select[data-searchable]", (select) => {
  if (!window.TomSelect) return;
  const label = select.labels[0];
  const control = new window.TomSelect(select, {
    plugins: select.multiple ? ["remove_button"] : [],
    maxOptions: 200,
    allowEmptyOption: true,
    render: { no_results: null },
  });
  if (label?.id) control.control_input.setAttribute("aria-labelledby", label.id);
  const described = select.getAttribute("aria-describedby");
  if (described) control.control_input.setAttribute("aria-describedby", described);
  if (select.getAttribute("aria-invalid")) control.control_input.setAttribute("aria-invalid", "true");
  select.addEventListener("unsaved:filled", () => control.sync());
});
