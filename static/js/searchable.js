// A select that can be searched: Tom Select on a native select, which stays the form's control.
import { behaviour } from "./behaviours.js";

// Tom Select filters a moment after a letter; Enter pressed before that would take what was marked without it.
function findAtOnce(control) {
  if (!control.refreshTimeout) return;
  clearTimeout(control.refreshTimeout);
  control.refreshTimeout = null;
  control._onInput();
}

behaviour("select[data-searchable]", (select) => {
  if (!window.TomSelect) return;
  const control = new window.TomSelect(select, {
    plugins: select.multiple ? ["remove_button"] : [],
    maxOptions: 200,
    refreshThrottle: 0,
    allowEmptyOption: true,
    render: { no_results: null },
  });
  control.hook("before", "onKeyDown", () => findAtOnce(control));
  select.setAttribute("aria-hidden", "true");
  select.addEventListener("focus", () => control.focus()); // a link of the error summary leads to the select
  const described = select.getAttribute("aria-describedby");
  if (described) control.control_input.setAttribute("aria-describedby", described);
  if (select.getAttribute("aria-invalid")) control.control_input.setAttribute("aria-invalid", "true");
  select.addEventListener("unsaved:filled", () => control.sync());
});
