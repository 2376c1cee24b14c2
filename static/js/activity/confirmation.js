// What was said after an act goes by itself after some seconds, but not from under the pointer or the focus.
import { behaviour } from "../behaviours.js";

behaviour("[data-goes-after]", (element) => {
  const seconds = Number(element.dataset.goesAfter);
  let timer;
  const stay = () => clearTimeout(timer);
  const goSoon = () => {
    stay();
    timer = setTimeout(() => element.remove(), seconds * 1000);
  };
  element.addEventListener("pointerenter", stay);
  element.addEventListener("focusin", stay);
  element.addEventListener("pointerleave", () => element.contains(document.activeElement) || goSoon());
  element.addEventListener("focusout", (event) => element.contains(event.relatedTarget) || goSoon());
  goSoon();
  // What later apps offer in it comes a moment later, and nothing of it hides behind the composer.
  const seen = () => element.scrollIntoView({ block: "nearest" });
  seen();
  element.addEventListener("htmx:afterSettle", seen);
});
