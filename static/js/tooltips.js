// A word about a control that shows only an icon, on hover and on focus. The control's own name is its aria-label.
import { placeAfter, placeBeside } from "./menus.js";

const DELAY = 350;
const tip = document.createElement("div");
tip.className = "tooltip";
tip.popover = "manual";
tip.setAttribute("aria-hidden", "true");
let timer;

function text(element) {
  if (element.dataset.tooltip) return element.dataset.tooltip;
  return document.documentElement.dataset.rail === "icons" ? element.dataset.railTooltip : "";
}

function show(element) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (!element.isConnected || !text(element)) return;
    if (!tip.isConnected) document.body.append(tip);
    tip.textContent = text(element);
    if (!tip.matches(":popover-open")) tip.showPopover();
    const inNarrowRail = element.closest(".rail") && document.documentElement.dataset.rail === "icons";
    (inNarrowRail ? placeAfter : placeBeside)(tip, element);
  }, DELAY);
}

function hide() {
  clearTimeout(timer);
  if (tip.isConnected && tip.matches(":popover-open")) tip.hidePopover();
}

const owner = (event) => event.target.closest?.("[data-tooltip], [data-rail-tooltip]");
document.addEventListener("pointerover", (event) => owner(event) && event.pointerType === "mouse" && show(owner(event)));
document.addEventListener("pointerout", (event) => owner(event) && hide());
document.addEventListener("focusin", (event) => owner(event)?.matches(":focus-visible") && show(owner(event)));
document.addEventListener("focusout", hide);
document.addEventListener("pointerdown", hide);
document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
