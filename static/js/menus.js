// Places a menu beside its button, moves through its items with the arrow keys, and closes it after a choice.
import { behaviour } from "./behaviours.js";

const GAP = 4;

export function placeBeside(floating, anchor) {
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = floating;
  const below = at.bottom + GAP + height <= window.innerHeight || at.top - GAP - height < 0;
  const left = at.left + width <= window.innerWidth - 8 ? at.left : at.right - width;
  floating.style.left = `${Math.max(8, Math.min(left, window.innerWidth - width - 8))}px`;
  floating.style.top = `${below ? Math.min(at.bottom + GAP, Math.max(8, window.innerHeight - height - 8)) : at.top - GAP - height}px`;
}

/** To the right of an icon of the rail, where nothing else stands. */
export function placeAfter(floating, anchor) {
  const at = anchor.getBoundingClientRect();
  floating.style.left = `${at.right + 2 * GAP}px`;
  floating.style.top = `${at.top + (at.height - floating.offsetHeight) / 2}px`;
}

behaviour("[data-menu]", (menu) => {
  const button = document.querySelector(`[popovertarget="${menu.id}"]`);
  const items = () => [...menu.querySelectorAll(".menu-item, .menu-choice > input")];
  button?.setAttribute("aria-expanded", "false");
  menu.addEventListener("toggle", (event) => {
    const open = event.newState === "open";
    button?.setAttribute("aria-expanded", String(open));
    if (!open || !button) return;
    placeBeside(menu, button);
    items()[0]?.focus({ preventScroll: true });
  });
  menu.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const all = items();
    all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
  });
  menu.addEventListener("click", (event) => {
    if (event.target.closest(".menu-item[type=button], a.menu-item")) menu.hidePopover();
  });
  menu.addEventListener("beforetoggle", (event) => {
    if (event.newState === "closed" && menu.contains(document.activeElement)) button?.focus({ preventScroll: true });
  });
});
