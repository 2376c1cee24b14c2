// The menus of filters: what they offer is asked for once, when somebody turns to them; a table comes without it.
import { behaviour } from "../behaviours.js";
import { placeBeside } from "../menus.js";

behaviour("form[data-filter-menus]", (form) => {
  const ask = () => {
    form.removeEventListener("pointerover", ask);
    form.removeEventListener("focusin", ask);
    form.dispatchEvent(new CustomEvent("filters-wanted"));
  };
  form.addEventListener("pointerover", ask);
  form.addEventListener("focusin", ask);
});

// A menu that was opened before its values came has another size with them.
behaviour("[data-filter-values]", (values) => {
  const menu = values.closest("[data-menu]");
  if (!menu.matches(":popover-open")) return;
  placeBeside(menu, document.querySelector(`[popovertarget="${menu.id}"]`));
  if (!menu.contains(document.activeElement)) menu.querySelector("input")?.focus({ preventScroll: true });
});
