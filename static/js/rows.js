// Rows that open: a click anywhere in a row follows its link; arrows and j k move, and an open panel follows.
import { behaviour } from "./behaviours.js";
import { openPanel } from "./panel.js";

const rows = () => [...document.querySelectorAll("table[data-rows] tr[data-row]")].filter((row) => row.offsetParent);
const link = (row) => row?.querySelector("[data-row-link]");
const current = () => document.activeElement?.closest("tr[data-row]") ?? document.querySelector("tr[data-open]");

export function moveRow(step) {
  const all = rows();
  if (!all.length) return false;
  const at = all.indexOf(current());
  const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step];
  if (!next) return true;
  link(next)?.focus({ preventScroll: true });
  next.scrollIntoView({ block: "nearest" });
  if (openPanel()) link(next)?.click();
  return true;
}

behaviour("table[data-rows]", (table) => {
  table.addEventListener("click", (event) => {
    const row = event.target.closest("tr[data-row]");
    if (!row || event.target.closest("a, button, input, label, select, summary, [popover]")) return;
    if (!String(getSelection())) link(row)?.click();
  });
});

function markOpenRow(panel) {
  const open = panel.dataset.panelRow;
  document.querySelectorAll("tr[data-open]").forEach((row) => row.removeAttribute("data-open"));
  const row = open ? document.querySelector(`tr[data-row-id="${CSS.escape(open)}"]`) : null;
  row?.setAttribute("data-open", "");
  // A panel that went on by itself takes the focus of the rows along.
  const focused = document.activeElement?.closest("tr[data-row]");
  if (row && focused && focused !== row) {
    link(row)?.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }
}

behaviour("#panel[data-panel]", (panel) => {
  markOpenRow(panel);
  // Focus stays in the table, so that the arrows go on; it moves into the panel only where the panel covers the table.
  if (!document.activeElement?.closest("tr[data-row]") || panel.offsetWidth >= window.innerWidth - 1) {
    panel.querySelector(".panel-title")?.focus({ preventScroll: true });
  }
});
