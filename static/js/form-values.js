// What a form holds, as pairs of name and value, and putting such pairs back.

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
      if (!control.name || LEFT_OUT.has(control.name) || ["file", "password", "submit", "button"].includes(control.type)) continue;
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

/** Name and value in words: the label of the control where it has one. */
export function described(form, entries) {
  return entries.filter(([, value]) => value !== "").map(([name, value]) => [form?.elements.namedItem(name)?.labels?.[0]?.firstChild?.textContent.trim() || name, value]);
}
