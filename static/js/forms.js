// Small things of forms: filters that submit themselves, selects that go somewhere, focus on what is wrong.
import { behaviour } from "./behaviours.js";
import { askBeforeLeaving } from "./unsaved.js";

const PAUSE = 300;

behaviour("form[data-auto-submit]", (form) => {
  let timer;
  form.addEventListener("input", (event) => {
    clearTimeout(timer);
    timer = setTimeout(() => form.requestSubmit(), event.target.matches("select, [type=checkbox], [type=radio]") ? 0 : PAUSE);
  });
});

behaviour("select[data-go]", (select) => {
  const now = select.value;
  select.addEventListener("change", () => {
    const there = select.value;
    select.value = now;
    askBeforeLeaving(() => location.assign(there));
  });
});

behaviour("[data-focus]", (element) => element.focus());
