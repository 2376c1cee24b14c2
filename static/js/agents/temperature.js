// Hides the temperature while the chosen model takes none; the server drops it then.
import { behaviour } from "../behaviours.js";

behaviour("[data-temperature]", (place) => {
  const without = place.dataset.without.split(" ");
  const model = place.querySelector("select[name=model]");
  const field = place.querySelector("[data-temperature-field]");
  const show = () => (field.hidden = without.includes(model.value) && model.value !== "");
  model.addEventListener("change", show);
  show();
});
