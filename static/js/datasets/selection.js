// Choosing several rows of a table: how many are chosen, all of a page at once, all that match, and none again.
import { behaviour } from "../behaviours.js";

behaviour("form[data-selection]", (bar) => {
  const boxes = () => [...document.querySelectorAll(`[data-selection-one][form="${bar.id}"]`)];
  const all = document.querySelector("[data-selection-all]");
  const count = bar.querySelector("[data-selection-count]");
  // Where a table has more pages: the offer to choose all that match, and since when they are chosen.
  const every = bar.querySelector("[data-selection-every]");
  const until = bar.querySelector("[data-selection-until]");

  const show = () => {
    const chosen = boxes().filter((box) => box.checked).length;
    bar.hidden = chosen === 0;
    if (until) until.value = "";
    if (every) {
      every.hidden = chosen === 0 || chosen < boxes().length;
      if (!every.hidden) every.dispatchEvent(new CustomEvent("page-selected"));
    }
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
  every?.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-selection-choose]");
    if (!choice) return;
    until.value = choice.dataset.selectionChoose;
    count.textContent = choice.dataset.chosen;
    every.hidden = true;
    bar.querySelector("[data-selection-clear]").focus();
  });
  all?.addEventListener("change", () => setAll(all.checked));
  bar.querySelector("[data-selection-clear]").addEventListener("click", () => {
    setAll(false);
    all?.focus();
  });
  show();
});
