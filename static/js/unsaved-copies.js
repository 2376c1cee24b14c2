// Offers what was left unsaved in this browser (DS-86 to DS-88): to restore it, or, where it is stale, to look at it.
import { behaviour, words } from "./behaviours.js";
import * as copies from "./browser-copies.js";
import { fill, snapshot } from "./form-values.js";

// What the address of a form ends with where its copy was asked for on another page, and then the place of the copy.
const RESTORE = "#restore";
const OFFER = "[data-unsaved-offer]";
/** What was read to write it may not be read any more, or was erased since: such a copy is dropped without being shown. */
const isOutdated = (copy, { dataset }) => (copy.read ?? "") !== (dataset.unsavedRead ?? "");

const submittedJustNow = (key) => sessionStorage.getItem("casebook.submitted") === key;

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

const button = (text, onClick, kind = "") => {
  const made = element("button", { type: "button", className: `button button-small ${kind}`, textContent: text });
  made.addEventListener("click", onClick);
  return made;
};

function notice(slot, copy, stale, label, ...actions) {
  const { lang } = document.documentElement;
  const at = new Date(copy.at).toLocaleString(lang === "en" ? "en-GB" : lang, { dateStyle: "medium", timeStyle: "short" });
  const title = stale ? words("staleTitle") : words("restoreTitle");
  const body = element("div", { className: "notice-body" },
    element("p", { className: "notice-title", textContent: title }),
    element("p", { textContent: [label, at].filter(Boolean).join(" · ") }));
  if (stale) body.append(element("p", { textContent: words("stale") }));
  const made = element("div", { className: "notice notice-unscored unsaved-copy" }, body, element("div", { className: "notice-actions" }, ...actions));
  made.dataset.unsavedOffer = slot;
  return made;
}

function show(where, copy) {
  where.querySelector("dl")?.remove();
  const list = element("dl", { className: "definitions" });
  for (const [name, value] of copy.changed ?? copy.entries) {
    list.append(element("dt", { textContent: name }), element("dd", {}, element("pre", { textContent: value || "–" })));
  }
  where.querySelector(".notice-body").append(list);
}

/** Into the form that stands below the offers by then: htmx may have put another in place of the first. */
function restore(offer, slot, copy) {
  let form = offer.nextElementSibling;
  while (form?.matches(OFFER)) form = form.nextElementSibling;
  const asked = new CustomEvent("unsaved:restoring", { detail: { slot }, cancelable: true });
  offer.remove();
  if (!form.dispatchEvent(asked)) return form.before(offer);
  fill(form, copy.entries);
  offerCopies(form, slot);
}

/** The places of the copies that are offered right above a form. */
export function offeredAbove(form) {
  const found = new Set();
  for (let place = form.previousElementSibling; place?.matches(OFFER); place = place.previousElementSibling) found.add(place.dataset.unsavedOffer);
  return found;
}

/** Above a form: its copies that differ from what it shows, but for the one in `mine`, which it writes itself. */
export function offerCopies(form, mine = null) {
  const there = offeredAbove(form);
  for (const slot of copies.slotsOf(form.dataset.unsavedKey)) {
    if (slot !== mine && !there.has(slot) && !submittedJustNow(slot)) offerCopy(form, slot);
  }
}

function offerCopy(form, slot) {
  const copy = copies.read(slot);
  if (copy && isOutdated(copy, form)) return copies.remove(slot);
  if (!copy || JSON.stringify(copy.entries) === snapshot(form)) return;
  const stale = String(copy.version) !== (form.dataset.unsavedVersion ?? "");
  const forget = () => (copies.remove(slot), offer.remove());
  const first = stale
    ? button(words("show"), () => show(offer, copy))
    : button(words("restore"), () => restore(offer, slot, copy), "button-primary");
  const offer = notice(slot, copy, stale, "", first, button(words("discard"), forget));
  form.before(offer);
  if (location.hash !== RESTORE + copies.placeOf(slot) || stale) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  setTimeout(() => restore(offer, slot, copy)); // once everything else of the form is bound
}

behaviour("[data-unsaved-copies]", (place) => {
  const { unsavedCopies: prefix, unsavedVersion: version } = place.dataset;
  const here = new Set([...document.querySelectorAll("form[data-unsaved-key]")].map((form) => form.dataset.unsavedKey));
  for (const key of copies.under(prefix)) {
    const copy = copies.read(key);
    if (copy && isOutdated(copy, place)) {
      copies.remove(key);
      continue;
    }
    if (!copy || here.has(copies.formOf(key)) || submittedJustNow(key)) continue;
    const stale = version !== undefined && version !== String(copy.version);
    const restored = element("a", { className: "button button-small button-primary", href: copy.url + RESTORE + copies.placeOf(key), textContent: words("restore") });
    const first = stale ? button(words("show"), () => show(offer, copy)) : restored;
    const offer = notice(key, copy, stale, copy.label, first, button(words("discard"), () => (copies.remove(key), offer.remove())));
    place.append(offer);
  }
});
