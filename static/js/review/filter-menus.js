// The menus of filters: what they offer is asked for once, when somebody turns to them; a table comes without it.
import { behaviour } from "../behaviours.js";

behaviour("form[data-filter-menus]", (form) => {
  const ask = () => {
    form.removeEventListener("pointerover", ask);
    form.removeEventListener("focusin", ask);
    form.dispatchEvent(new CustomEvent("filters-wanted"));
  };
  form.addEventListener("pointerover", ask);
  form.addEventListener("focusin", ask);
});
