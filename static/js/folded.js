// Long content is cut until somebody asks for all of it; what is only a little too long is shown.
import { behaviour } from "./behaviours.js";

const SPARE = 60;

behaviour("[data-folded]", (folded) => {
  const body = folded.querySelector(".folded-body");
  const button = folded.querySelector("[data-folded-toggle]");
  const measure = () => folded.toggleAttribute("data-fits", !folded.hasAttribute("data-open") && body.scrollHeight <= body.clientHeight + (folded.hasAttribute("data-fits") ? 0 : SPARE));
  measure();
  button.addEventListener("click", () => {
    const open = folded.toggleAttribute("data-open");
    button.setAttribute("aria-expanded", String(open));
    button.textContent = open ? button.dataset.less : button.dataset.more;
  });
  body.addEventListener("focusin", () => !folded.hasAttribute("data-fits") && !folded.hasAttribute("data-open") && button.click());
});
