// Unsaved changes of any form with data-unsaved-guard (DS-78 to DS-83, DS-D30, DS-D32): each registers itself here, and
// every way to leave asks here: links, forms, htmx, Back, closing. The browser's own warning stands for closing the tab.
import { behaviour, mount, words } from "./behaviours.js";
import * as copies from "./browser-copies.js";
import { openDialog } from "./open-dialog.js";
import { differing, keepable, labelsOf, snapshot } from "./form-values.js";
import { showMessage } from "./messages.js";
import { offeredAbove, offerCopies } from "./unsaved-copies.js";

const PAUSE = 300;
const guarded = new Map();
const asStored = new Map(); // by the key of the copy what the first form held, for forms that the server sent back
const slots = new Map(); // by the same key where the form's copy is kept: another one may still wait to be decided on
const UNTOUCHED = "casebook.untouched"; // the address of the form that was sent last, where nothing in it was changed

// What is unsaved

export function isDirty(form) {
  const state = guarded.get(form);
  return Boolean(state && !state.submitted && form.isConnected && snapshot(form) !== state.clean);
}

export function dirtyForms(within = document) {
  for (const form of guarded.keys()) if (!form.isConnected) guarded.delete(form);
  return [...guarded.keys()].filter((form) => within.contains(form) && isDirty(form));
}

/** Call after a script has changed fields. */
export function recheck(form) {
  const dirty = isDirty(form);
  form.toggleAttribute("data-dirty", dirty);
  const any = dirtyForms().length > 0;
  document.documentElement.classList.toggle("has-unsaved", any);
  document.title = document.title.replace(/^• /, "");
  if (any) document.title = `• ${document.title}`;
  if (any) standBeforeBack();
  return dirty;
}

export function markSaved(form) {
  const state = guarded.get(form);
  const slot = state?.slot ?? slots.get(form.dataset.unsavedKey);
  if (slot) copies.remove(slot);
  if (!state) return;
  clearTimeout(state.timer);
  state.clean = snapshot(form);
  recheck(form);
}

function discardHere(form) {
  const { clean } = guarded.get(form);
  form.reset();
  for (const control of form.elements) control.dispatchEvent(new Event("unsaved:filled"));
  const isBack = snapshot(form) === clean;
  markSaved(form);
  if (!isBack) location.assign(location.pathname + location.search);
}

/** Keeps what the form holds, or forgets it where nothing is unsaved; false where it could not be kept. */
function keepCopy(form) {
  const key = form.dataset.unsavedKey;
  if (!key || !form.isConnected) return true;
  const { slot } = guarded.get(form);
  if (!isDirty(form)) return copies.remove(slot), true;
  const { unsavedVersion: version = "", unsavedRead: read = "", unsavedLabel: label = "", unsavedAddress: url = location.pathname + location.search } = form.dataset;
  const { clean, labels } = asStored.get(key) ?? guarded.get(form);
  const kept = copies.keep(slot, { version, read, label, url, entries: keepable(form) }, differing(form, clean, labels));
  const place = form.querySelector("[data-unsaved-where]");
  if (place) place.textContent = kept ? "" : words("tooLarge");
  return kept;
}

/** Where the form's copy is kept; the other copies are offered above it. */
function slotOf(form, refused) {
  const key = form.dataset.unsavedKey;
  if (!key) return "";
  const submitted = sessionStorage.getItem("casebook.submitted") ?? "";
  const own = refused ? (slots.get(key) ?? (copies.formOf(submitted) === key ? submitted : key)) : null;
  offerCopies(form, own);
  return own ?? copies.freeSlot(key, offeredAbove(form));
}

/** Before another copy takes the form's place, what it holds is kept, to be offered in its turn. */
function makeRoom(form, event) {
  const state = guarded.get(form);
  clearTimeout(state.timer);
  if (!keepCopy(form)) {
    event.preventDefault();
    return showMessage(words("tooLarge"), "fail");
  }
  state.slot = event.detail.slot;
  slots.set(form.dataset.unsavedKey, state.slot);
}

const addressOf = (form) => form.getAttribute("hx-post") ?? form.action;

/** Whether the server sent back what nobody had changed, such as an empty form. */
const wasUntouched = (form) => sessionStorage.getItem(UNTOUCHED) === addressOf(form);

behaviour("form[data-unsaved-guard]", (form) => {
  // What the server refused is unsaved from the start: nothing the form shows is stored.
  const refused = ("unsavedDirty" in form.dataset || form.querySelector('[aria-invalid="true"]')) && !wasUntouched(form);
  const state = { clean: refused ? null : snapshot(form), labels: labelsOf(form), submitted: false, timer: 0, slot: slotOf(form, refused) };
  guarded.set(form, state);
  slots.set(form.dataset.unsavedKey, state.slot);
  if (!refused) asStored.set(form.dataset.unsavedKey, state);
  const changed = () => {
    recheck(form);
    clearTimeout(state.timer);
    state.timer = setTimeout(() => keepCopy(form), PAUSE);
  };
  form.addEventListener("input", changed);
  form.addEventListener("change", changed);
  form.addEventListener("reset", () => setTimeout(changed));
  form.addEventListener("htmx:afterSettle", changed);
  form.addEventListener("unsaved:restoring", (event) => makeRoom(form, event));
  form.addEventListener("click", (event) => event.target.closest("[data-unsaved-discard]") && discardHere(form));
  if (refused) changed();
  recheck(form);
});

// The last words before a tab closes are kept too.
window.addEventListener("pagehide", () => dirtyForms().forEach(keepCopy));

// The question

const canSave = (form) => !("unsavedNoSave" in form.dataset) && form.checkValidity();

/** Whether saving from the question would succeed; where the form names an address to ask, as the server sees it now. */
async function couldBeSaved(form) {
  const { unsavedCheck: address } = form.dataset;
  if (!canSave(form) || !address) return canSave(form);
  const body = new FormData(form);
  body.set("act", "check");
  try {
    const response = await fetch(address, { method: "POST", body, headers: { ...headersOf(), "HX-Request": "true" } });
    return response.ok && (await response.json()).could_be_saved;
  } catch {
    return false;
  }
}

const headersOf = () => JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");

function offerSave(dialog, savable, isKnown = true) {
  const button = dialog.querySelector('[data-answer="save"]:not([data-way])');
  button.hidden = !savable;
  button.disabled = !isKnown;
  button.setAttribute("aria-busy", String(!isKnown));
  dialog.querySelector("[data-unsaved-cannot]").hidden = savable;
  dialog.querySelector("[data-unsaved-can]").hidden = !savable;
}

// By which of its buttons a form is saved from the question, where it can be saved in more ways than one.
const ways = new Map();

/** A form whose buttons mean different things names each way to save it: they stand in place of Save. */
function offerWays(dialog, dirty) {
  const save = dialog.querySelector('[data-answer="save"]:not([data-way])');
  dialog.querySelectorAll("[data-way]").forEach((button) => button.remove());
  const offered = dirty.length === 1 && !save.hidden ? dirty[0].querySelectorAll('[data-unsaved-save]:not([data-unsaved-save=""])') : [];
  for (const way of offered) {
    const button = save.cloneNode(true);
    button.dataset.way = way.value;
    button.querySelector("span").textContent = way.dataset.unsavedSave;
    button.addEventListener("click", () => ways.set(dirty[0], way));
    save.before(button);
  }
  save.hidden ||= offered.length > 0;
}

function ask(dirty) {
  const dialog = document.getElementById("unsaved-dialog");
  if (!dialog || dialog.open) return Promise.resolve("stay");
  const perhaps = dirty.every(canSave);
  const asks = perhaps && dirty.some((form) => form.dataset.unsavedCheck);
  offerSave(dialog, perhaps, !asks);
  offerWays(dialog, dirty);
  if (asks) Promise.all(dirty.map(couldBeSaved)).then((answers) => offerSave(dialog, answers.every(Boolean)));
  return new Promise((resolve) => {
    let answer = "stay";
    const choose = (event) => {
      const button = event.target.closest("[data-answer]");
      if (!button) return;
      answer = button.dataset.answer;
      dialog.close();
    };
    dialog.addEventListener("click", choose);
    dialog.addEventListener("close", () => (dialog.removeEventListener("click", choose), resolve(answer)), { once: true });
    openDialog(dialog);
  });
}

async function leave(dirty, go) {
  const answer = await ask(dirty);
  if (answer === "stay") return;
  for (const form of dirty) {
    if (answer === "discard") markSaved(form);
    else if (!(await save(form))) return;
  }
  go();
}

/** Runs `go` at once where nothing inside `within` is unsaved, else after the person chose to save or discard. */
export function askBeforeLeaving(go, within = document) {
  const dirty = dirtyForms(within);
  if (dirty.length) leave(dirty, go);
  else go();
}

// Saving from the question

/** A redirect to somewhere else than the page for signing in. */
const isAway = (address) => Boolean(address) && !address.includes("/login");

async function save(form) {
  sessionStorage.removeItem(UNTOUCHED);
  const verb = ["post", "put", "patch"].find((name) => form.hasAttribute(`hx-${name}`));
  const submitter = ways.get(form) ?? form.querySelector("button[type=submit], button:not([type])");
  ways.delete(form);
  const headers = { ...headersOf(), "HX-Request": "true" };
  try {
    const response = await fetch(verb ? form.getAttribute(`hx-${verb}`) : form.action, {
      method: verb ?? form.method,
      body: new FormData(form, submitter),
      headers,
      redirect: "manual",
    });
    const there = response.headers.get("HX-Redirect");
    if ((!there || isAway(there)) && (response.ok || response.type === "opaqueredirect")) {
      markSaved(form);
      form.dispatchEvent(new CustomEvent("unsaved:saved", { bubbles: true, detail: { text: await response.text() } }));
      return true;
    }
    showRefusal(form, await response.text());
  } catch {
    showMessage(words("unreachable"), "fail");
  }
  return false;
}

function showRefusal(form, text) {
  const answer = new DOMParser().parseFromString(text, "text/html");
  const fresh = form.id ? answer.getElementById(form.id) : answer.querySelector("form[data-unsaved-guard]");
  if (!fresh) {
    const said = answer.querySelector("[data-error-message]")?.textContent;
    return showMessage(said || words("failed"), "fail");
  }
  fresh.dataset.unsavedDirty = "";
  const placed = document.importNode(fresh, true);
  form.replaceWith(placed);
  window.htmx?.process(placed);
  mount(placed);
}

// Ways to leave

const HTMX = ["get", "post", "put", "patch", "delete"].map((verb) => `[hx-${verb}]`).join(", ");
const isHtmx = (element) => element.matches(HTMX) || Boolean(element.closest("[hx-boost=true]"));

function staysHere(link) {
  const there = new URL(link.href, location.href);
  return there.hash && there.pathname + there.search === location.pathname + location.search;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.target === "_blank" || link.hasAttribute("download") || link.matches("[data-panel-close]")) return;
  if (isHtmx(link) || staysHere(link) || !dirtyForms().length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  askBeforeLeaving(() => link.click());
}, true);

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (guarded.has(form)) sessionStorage.setItem(UNTOUCHED, "dirty" in form.dataset ? "" : addressOf(form));
  if (form.method === "dialog" || isHtmx(form)) return;
  const others = dirtyForms().filter((one) => one !== form);
  if (others.length) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return void leave(others, () => form.requestSubmit(submitter));
  }
  if ("unsavedForget" in form.dataset) copies.removeAll();
  if (!guarded.has(form)) return;
  guarded.get(form).submitted = true;
  if (form.dataset.unsavedKey) sessionStorage.setItem("casebook.submitted", guarded.get(form).slot);
}, true);

document.addEventListener("htmx:confirm", (event) => {
  const { elt, target, issueRequest, triggeringEvent } = event.detail;
  const swap = elt.closest("[hx-swap]")?.getAttribute("hx-swap") ?? "";
  if (/^(none|before|after)/.test(swap) || "unsavedKeep" in elt.dataset) return;
  const lost = dirtyForms(target ?? document).filter((form) => form !== elt);
  if (!lost.length) return;
  event.preventDefault();
  // What no person started (a poll, a load) must not take the change away, nor nag.
  if (triggeringEvent && ["click", "submit", "change", "keyup", "input"].includes(triggeringEvent.type)) leave(lost, () => issueRequest(true));
});

const guardedBy = ({ requestConfig, elt }) => {
  const form = requestConfig?.elt ?? elt;
  return form?.matches?.("form[data-unsaved-guard]") && requestConfig?.verb !== "get" ? form : null;
};

document.addEventListener("htmx:afterRequest", (event) => {
  const form = guardedBy(event.detail);
  if (event.detail.successful && form) markSaved(form);
});

// A redirect leaves the page before htmx says that the request succeeded; what was sent is saved unless it asks to sign in.
document.addEventListener("htmx:beforeOnLoad", (event) => {
  const form = guardedBy(event.detail);
  const { xhr } = event.detail;
  if (form && xhr.status < 400 && isAway(xhr.getResponseHeader("HX-Redirect"))) markSaved(form);
});

window.addEventListener("beforeunload", (event) => {
  if (dirtyForms().length) event.preventDefault();
});

// Back: an entry of our own stands in front of the page's, so that Back arrives here and not somewhere else.

let stands = false;
let returning = false;

function standBeforeBack() {
  if (stands) return;
  stands = true;
  if (!history.state?.unsaved) history.pushState({ ...history.state, unsaved: true }, "");
}

window.addEventListener("popstate", (event) => {
  if (returning || !stands || event.state?.unsaved) {
    if (returning) event.stopImmediatePropagation();
    returning = false;
    return;
  }
  event.stopImmediatePropagation();
  const dirty = dirtyForms();
  if (!dirty.length) {
    stands = false;
    return history.back();
  }
  returning = true;
  history.forward();
  leave(dirty, () => {
    stands = false;
    history.go(-2);
  });
}, true);

// What the last page submitted is saved unless this page shows the same form again with the change.
behaviour("body[data-person]", () => {
  copies.tidy();
  const key = sessionStorage.getItem("casebook.submitted");
  const again = [...guarded].some(([form, { slot }]) => slot === key && isDirty(form));
  if (key && !again) copies.remove(key);
});
behaviour("body", () => sessionStorage.removeItem("casebook.submitted"));
