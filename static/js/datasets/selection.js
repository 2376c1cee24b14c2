// Choosing several rows of a table: how many are chosen, all of a page at once, and none again.
import { behaviour } from "../behaviours.js";

behaviour("form[data-selection]", (bar) => {
  const boxes = () => [...document.querySelectorAll(`[data-selection-one][form="${bar.id}"]`)];
  const all = document.querySelector("[data-selection-all]");
  const count = bar.querySelector("[data-selection-count]");

  const show = () => {
    const chosen = boxes().filter((box) => box.checked).length;
    bar.hidden = chosen === 0;
    count.textContent = chosen === 1 ? count.dataset.one : count.dataset.many.replace("%d", chosen);
    for (const box of boxes()) box.closest("tr").setAttribute("aria-selected", box.checked);
    if (all) {
      all.checked = chosen > 0 && chosen === boxes().length;
      all.indeterminate = chosen > 0 && chosen < boxes().length;
    }
  };
  const setAll = (on) => {
    for (const box of boxes()) box.checked = on;
    show();
  };

  for (const box of boxes()) box.addEventListener("change", show);
  all?.addEventListener("change", () => setAll(all.checked));
  bar.querySelector("[data-selection-clear]").addEventListener("click", () => {
    setAll(false);
    all?.focus();
  });
  show();
});
