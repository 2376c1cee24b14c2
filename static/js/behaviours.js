// Binds behaviours to elements by selector: once for each element, now and in every part that htmx swaps in.

const known = [];
let started = false;

export function behaviour(selector, bind) {
  const one = { selector, bind, bound: new WeakSet() };
  known.push(one);
  if (started) apply(one, document.documentElement);
}

function apply({ selector, bind, bound }, root) {
  const found = [...root.querySelectorAll(selector)];
  if (root.matches(selector)) found.unshift(root);
  for (const element of found) {
    if (bound.has(element)) continue;
    bound.add(element);
    bind(element);
  }
}

export function mount(root) {
  for (const one of known) apply(one, root);
}

export function start() {
  started = true;
  mount(document.documentElement);
  document.addEventListener("htmx:load", (event) => mount(event.detail.elt));
}

/** The words that scripts show, translated by the server. */
export function words(name) {
  return document.getElementById("words")?.dataset[name] ?? "";
}
