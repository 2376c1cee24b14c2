// What a form holds, as pairs of name and value, and putting such pairs back.
import { words } from "./behaviours.js";

const LEFT_OUT = new Set(["csrfmiddlewaretoken", "next"]);

const isSecret = (form, name) => form.elements.namedItem(name)?.type === "password";

export function entriesOf(form) {
  return [...new FormData(form).entries()].filter(([name]) => !LEFT_OUT.has(name));
}

/** One text for what the form holds; two equal texts mean that nothing has changed. */
export function snapshot(form) {
  return JSON.stringify(entriesOf(form).map(([name, value]) => [name, value instanceof File ? `${value.name}:${value.size}` : value]));
}

/** The pairs that may be kept in the browser: no files, no passwords. */
export function keepable(form) {
  return entriesOf(form).filter(([name, value]) => typeof value === "string" && !isSecret(form, name));
}

/** Puts pairs back. A form with rows made by script answers `unsaved:restore` itself. */
export function fill(form, entries) {
  const asked = new CustomEvent("unsaved:restore", { detail: { entries }, cancelable: true, bubbles: true });
  if (form.dispatchEvent(asked)) {
    const values = Map.groupBy ? Map.groupBy(entries, ([name]) => name) : grouped(entries);
    for (const control of form.elements) {
      if (!control.name || LEFT_OUT.has(control.name) || control.matches(":disabled") || ["file", "password", "submit", "button"].includes(control.type)) continue;
      put(control, values.get(control.name) ?? []);
    }
  }
  form.dispatchEvent(new Event("input", { bubbles: true }));
}

function grouped(entries) {
  const found = new Map();
  for (const entry of entries) found.set(entry[0], [...(found.get(entry[0]) ?? []), entry]);
  return found;
}

function put(control, values) {
  if (control.type === "checkbox" || control.type === "radio") {
    control.checked = values.some(([, value]) => value === control.value);
  } else if (control.multiple) {
    for (const option of control.options) option.selected = values.some(([, value]) => value === option.value);
  } else if (values.length) {
    control.value = values.shift()[1];
  }
  control.dispatchEvent(new Event("unsaved:filled"));
}

// What a change was, in words

const NOT_SHOWN = ["hidden", "file", "password", "submit", "button"];

const isShown = (control) => control.name && !NOT_SHOWN.includes(control.type) && !control.matches(":disabled");

function labelOf(control) {
  const parts = [control.labels?.[0]?.firstChild?.textContent.trim() || control.name];
  for (let row = control.closest("[role=group][aria-label]"); row; row = row.parentElement.closest("[role=group][aria-label]")) {
    parts.unshift(row.getAttribute("aria-label"));
  }
  return parts.join(" · ");
}

/** By the name of each control what people call it. */
export const labelsOf = (form) => Object.fromEntries([...form.elements].filter(isShown).map((control) => [control.name, labelOf(control)]));

const pair = (name, value) => JSON.stringify([name, value]);

/** Label and value of everything that differs from the pairs of `clean`, the text of a snapshot or null. */
export function differing(form, clean, labels) {
  const before = JSON.parse(clean ?? "[]");
  const known = new Set(before.map(([name, value]) => pair(name, value)));
  const now = [...form.elements].filter(isShown).filter((control) => !["checkbox", "radio"].includes(control.type) || control.checked);
  const written = now.filter((control) => (clean !== null || control.value) && !known.has(pair(control.name, control.value)));
  const gone = before.filter(([name, value]) => value && labels[name] && !form.elements.namedItem(name));
  return [
    ...written.map((control) => [labelOf(control), control.selectedOptions?.[0]?.textContent ?? control.value]),
    ...gone.map(([name, value]) => [labels[name], `${words("removed")}: ${value}`]),
  ];
}
