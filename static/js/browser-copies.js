// Copies of unsaved changes in this browser (DS-84 to DS-93, DS-D28, DS-D29): kept in localStorage, never sent.
// A copy belongs to one person in one organisation; any other's, and those older than 30 days, are removed on sight.

const ALL = "casebook.unsaved.";
const MOST_BYTES = 256 * 1024;
const KEPT_FOR = 30 * 24 * 3600 * 1000;

const owner = () => `${ALL}${document.body.dataset.person}:${document.body.dataset.organisation}:`;
const keys = () => Object.keys(localStorage).filter((key) => key.startsWith(ALL));

/** Keeps the change, and what it was in words; false where it is too large or the browser refuses. */
export function keep(key, change, changed = []) {
  const text = JSON.stringify({ ...change, at: Date.now() });
  try {
    if (new Blob([text]).size > MOST_BYTES) throw new RangeError("too large");
    localStorage.setItem(owner() + key, JSON.stringify({ ...change, at: Date.now(), changed }));
    return true;
  } catch {
    remove(key);
    return false;
  }
}

export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(owner() + key));
  } catch {
    return null;
  }
}

export const remove = (key) => localStorage.removeItem(owner() + key);
export const removeAll = () => keys().forEach((key) => localStorage.removeItem(key));

/** The keys of this person's copies that begin with a prefix. */
export function under(prefix) {
  return keys().filter((key) => key.startsWith(owner() + prefix)).map((key) => key.slice(owner().length));
}

// A form's copies: one under its own key, and `key#2`, `key#3`, … beside it while an earlier one waits to be decided on.

export const formOf = (slot) => slot.replace(/#\d+$/, "");
export const placeOf = (slot) => slot.slice(formOf(slot).length).replace("#", "");

/** The copies of one form that there are, the first one first. */
export const slotsOf = (key) => under(key).filter((slot) => formOf(slot) === key).sort((one, other) => placeOf(one) - placeOf(other));

/** The first place for a copy of the form that is not taken. */
export function freeSlot(key, taken) {
  let slot = key;
  for (let place = 2; taken.has(slot); place += 1) slot = `${key}#${place}`;
  return slot;
}

export function tidy() {
  for (const key of keys()) {
    if (!key.startsWith(owner())) localStorage.removeItem(key);
    else if (!(read(key.slice(owner().length))?.at > Date.now() - KEPT_FOR)) localStorage.removeItem(key);
  }
}
