// The side panel: its width, and closing it with the address put back.
import { behaviour } from "./behaviours.js";
import { askBeforeLeaving } from "./unsaved.js";

const [LEAST, MOST, STEP] = [480, 760, 20];
const KEPT = "casebook.panel-width";

export const openPanel = () => document.querySelector("#panel[data-panel]");

export function closePanel() {
  const panel = openPanel();
  if (!panel) return false;
  askBeforeLeaving(() => {
    const address = panel.querySelector("[data-panel-close]")?.getAttribute("href");
    const row = document.querySelector("tr[data-open]");
    const empty = document.createElement("aside");
    Object.assign(empty, { id: "panel", className: "panel", hidden: true });
    panel.replaceWith(empty);
    row?.removeAttribute("data-open");
    (row?.querySelector("[data-row-link]") ?? document.getElementById("content"))?.focus();
    if (address) history.pushState({ htmx: true }, "", address);
  }, panel);
  return true;
}

document.addEventListener("click", (event) => {
  const closer = event.target.closest("[data-panel-close]");
  if (!closer || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  closePanel();
}, true);

function setWidth(panel, grip, width) {
  const kept = Math.round(Math.max(LEAST, Math.min(MOST, width)));
  panel.style.setProperty("--panel-width", `${kept}px`);
  grip.setAttribute("aria-valuenow", String(kept));
  localStorage.setItem(KEPT, String(kept));
}

behaviour("[data-panel-grip]", (grip) => {
  const panel = grip.closest("[data-panel]");
  const kept = Number(localStorage.getItem(KEPT));
  if (kept) setWidth(panel, grip, kept);
  grip.addEventListener("pointerdown", (event) => {
    grip.setPointerCapture(event.pointerId);
    const move = (moved) => setWidth(panel, grip, window.innerWidth - moved.clientX);
    grip.addEventListener("pointermove", move);
    grip.addEventListener("lostpointercapture", () => grip.removeEventListener("pointermove", move), { once: true });
  });
  grip.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (!by) return;
    event.preventDefault();
    setWidth(panel, grip, panel.offsetWidth + by);
  });
});
