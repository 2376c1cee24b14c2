// Rows of a form: added from the server's <template>, removed, moved, and made again from a kept copy. Every name begins
// with the path of its row; the server reads the rows in the order in which they stand.
import { behaviour, mount } from "../behaviours.js";

const LISTS = "[data-row-list]";
const itemsOf = (list) => list.querySelector(":scope > [data-row-items]");
const listsIn = (root) => [...root.querySelectorAll(LISTS)].filter((list) => list.parentElement.closest(LISTS) === (root.closest?.(LISTS) ?? null));
let count = 0;

/** What a template of the server makes once its word stands for a row. */
function made(template, word, key) {
  const parsed = document.createElement("template");
  parsed.innerHTML = template.innerHTML.replaceAll(word, key);
  return parsed.content;
}

function addRow(list, key = `n${(count += 1)}`) {
  const template = list.querySelector(":scope > template[data-row-template]");
  const row = made(template, template.dataset.rowWord, key).firstElementChild;
  itemsOf(list).append(row);
  mount(row);
  return row;
}

function changed(list) {
  [...itemsOf(list).children].forEach((row, place) => {
    row.dataset.rowName ??= row.getAttribute("aria-label");
    row.setAttribute("aria-label", `${row.dataset.rowName} ${place + 1}`);
  });
}

const tell = (list) => list.closest("form")?.dispatchEvent(new Event("input", { bubbles: true }));

const firstControl = (row) => row?.querySelector("input:not([type=hidden], :disabled), select:not(:disabled), textarea:not(:disabled)");

/** A turn is written by who did not write the one before it. */
function takeTurns(row) {
  const [before, now] = [row.previousElementSibling, row].map((one) => one?.querySelector("[data-turn-role]"));
  if (before && now) now.value = before.value === "user" ? "assistant" : "user";
}

const ACTS = {
  rowRemove: (row, list) => {
    const next = row.nextElementSibling ?? row.previousElementSibling;
    row.remove();
    (next?.querySelector("[data-row-remove]") ?? list.querySelector(":scope > [data-row-add], :scope > div > [data-row-add]"))?.focus();
  },
  rowUp: (row) => row.previousElementSibling?.before(row),
  rowDown: (row) => row.nextElementSibling?.after(row),
};

function act(list, event) {
  const button = event.target.closest("[data-row-add], [data-row-remove], [data-row-up], [data-row-down]");
  if (!button || button.closest(LISTS) !== list) return;
  if ("rowAdd" in button.dataset) {
    const row = addRow(list);
    takeTurns(row);
    firstControl(row)?.focus();
  } else {
    const row = button.closest("[data-row-item]");
    ACTS[Object.keys(ACTS).find((name) => name in button.dataset)](row, list);
    if (row.isConnected) button.focus();
  }
  changed(list);
  tell(list);
}

behaviour(LISTS, (list) => {
  changed(list);
  list.addEventListener("click", (event) => act(list, event));
  if (list.parentElement.closest(LISTS)) return;
  const original = itemsOf(list).cloneNode(true);
  list.closest("form")?.addEventListener("reset", () => {
    itemsOf(list).replaceChildren(...original.cloneNode(true).children);
    mount(itemsOf(list));
    changed(list);
  });
});

// A kept copy: its names say which rows there were.

function showRaw(list, row, key) {
  row.querySelectorAll(":scope [data-plain]").forEach((part) => part.remove());
  row.append(...made(list.querySelector(":scope > template[data-raw-template]"), "__row__", key).children);
}

function rebuild(list, path, entries) {
  itemsOf(list).replaceChildren();
  const own = entries.filter(([name]) => name.startsWith(`${path}.`)).map(([name, value]) => [name.slice(path.length + 1).split("."), value]);
  for (const key of new Set(own.map(([[key]]) => key))) {
    count = Math.max(count, Number(/^n(\d+)$/.exec(key)?.[1] ?? 0));
    const row = addRow(list, key);
    const parts = new Map(own.filter(([[of]]) => of === key).map(([[, ...rest], value]) => [rest.join("."), value]));
    if (parts.has("json")) showRaw(list, row, key);
    const type = row.querySelector("[data-check-type]");
    if (type?.isConnected) {
      type.value = parts.get("type");
      type.dispatchEvent(new Event("change"));
    }
    for (const inner of listsIn(row)) rebuild(inner, `${path}.${key}.${inner.dataset.rowList}`, entries);
    row.closest("details")?.setAttribute("open", "");
  }
  changed(list);
}

behaviour("form[data-case-form], form[data-row-form]", (form) => {
  form.addEventListener("unsaved:restore", (event) => {
    for (const list of listsIn(form)) rebuild(list, list.dataset.rowList, event.detail.entries);
  });
});
