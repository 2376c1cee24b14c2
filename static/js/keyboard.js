// Keys that work everywhere: ? / g d c e f j k arrows Esc, and p f u n w where an answer is reviewed. None while
// somebody writes, none with a modifier.
import { openDialog } from "./open-dialog.js";
import { toggleFullScreen } from "./full-screen.js";
import { closePanel, openPanel } from "./panel.js";
import { closeDrawer } from "./rail.js";
import { moveRow } from "./rows.js";

const PATIENCE = 1200;
let before = "";
let timer;

const writes = (element) => element?.closest?.("input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], .ts-wrapper");

function click(selector) {
  const found = [...document.querySelectorAll(selector)].find((element) => element.offsetParent);
  found?.click();
  return Boolean(found);
}

function writeIn(selector) {
  const field = document.querySelector(selector);
  field?.focus();
  field?.setSelectionRange(field.value.length, field.value.length);
  return Boolean(field);
}

function search() {
  const input = [...document.querySelectorAll("[data-search]")].find((element) => element.offsetParent);
  input?.focus();
  input?.select();
  return Boolean(input);
}

function leaveWhatIsOpen() {
  if (closeDrawer() || closePanel()) return true;
  if (!document.documentElement.hasAttribute("data-full-screen")) return false;
  toggleFullScreen(false);
  return true;
}

const KEYS = {
  "?": () => (openDialog(document.getElementById("keys-dialog")), true),
  "/": search,
  c: () => click('[data-key="c"]'),
  e: () => click('[data-key="e"]'),
  p: () => click('[data-key="p"]'),
  f: () => click('[data-key="f"]') || (toggleFullScreen(), true),
  u: () => click('#messages [data-key="u"]') || click('[data-key="u"]'),
  n: () => writeIn('[data-key="n"]'),
  w: () => click('[data-key="w"]'),
  j: () => moveRow(1),
  k: () => moveRow(-1),
  ArrowDown: () => rowKeys() && moveRow(1),
  ArrowUp: () => rowKeys() && moveRow(-1),
  Escape: leaveWhatIsOpen,
};

/** The arrows belong to the page's scrolling unless a row has the focus or is open. */
const rowKeys = () => Boolean(document.activeElement?.closest("tr[data-row]") || (openPanel() && !document.activeElement?.closest("#panel")));

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.querySelector("dialog[open], [popover]:popover-open:not(.tooltip)")) return;
  if (writes(event.target)) {
    if (event.key !== "Escape") return;
    event.target.blur();
    // A search that holds something is only left, and emptied by the browser; from every other field Esc closes too.
    const isSearching = event.target.type === "search" && event.target.value;
    if (!isSearching && leaveWhatIsOpen()) event.preventDefault();
    return;
  }
  const two = before ? document.querySelector(`[data-keys="${CSS.escape(`${before} ${event.key}`)}"]`) : null;
  const done = two ? (two.click(), true) : KEYS[event.key]?.();
  clearTimeout(timer);
  before = !done && event.key.length === 1 ? event.key : "";
  timer = setTimeout(() => (before = ""), PATIENCE);
  if (done) event.preventDefault();
});
