// The guided tour: a card beside what it speaks of, or under it inside a form, step by step through the page at hand.
// The server keeps that it runs; which part of it is shown follows from what is on screen.
import { behaviour } from "../behaviours.js";
import { placeBeside } from "../menus.js";
import { showMessage } from "../messages.js";

const CONTROLS = "textarea, input:not([type=hidden]), select, button";

const stepOf = (element) => ({ ...element.dataset, title: element.querySelector("h2").textContent, text: element.querySelector("p").textContent });
const partOf = (template) => ({ root: template.dataset.tourPart, inside: "inside" in template.dataset, last: "last" in template.dataset, steps: [...template.content.children].map(stepOf) });

/** The first that can be seen, also one that only a closed section hides. */
const seen = (selector) => [...document.querySelectorAll(selector)].find((element) => element.getClientRects().length || element.closest("details:not([open])")?.getClientRects().length);

behaviour("[data-tour]", (tour) => {
  const one = (name) => tour.querySelector(`[data-tour-${name}]`);
  const card = one("card");
  const [title, text, count, said, end, back, next] = ["title", "text", "count", "said", "end", "back", "next"].map(one);
  const parts = [...tour.querySelectorAll("template")].map(partOf);
  let [part, steps, at, anchor, waiting] = [null, [], 0, null, false];

  const place = () => anchor && !part.inside && placeBeside(card, anchor);

  function clear() {
    anchor?.removeAttribute("data-tour-here");
    anchor = null;
    card.hidden = true;
    if (tour.isConnected) tour.prepend(card);
  }

  function put(step) {
    const beside = step.around ? anchor.closest(step.around) : (anchor.closest(".field") ?? anchor);
    card.classList.toggle("tour-inside", part.inside);
    if (part.inside) beside["before" in step ? "before" : "after"](card);
    else tour.prepend(card);
  }

  function show({ focus }) {
    // The page may have changed since the steps were counted: what is gone is passed over.
    if (!seen(steps[at].anchor)) {
      steps = part.steps.filter((step) => seen(step.anchor));
      at = Math.min(at, steps.length - 1);
      if (!steps.length) return clear();
    }
    const step = steps[at];
    anchor?.removeAttribute("data-tour-here");
    anchor = seen(step.anchor);
    const section = anchor.closest("details");
    if (section) section.open = true;
    anchor.dataset.tourHere = "";
    const isLast = at === steps.length - 1;
    title.textContent = step.title;
    text.textContent = step.text;
    count.textContent = count.dataset.words.replace("%(at)s", at + 1).replace("%(all)s", steps.length);
    back.hidden = at === 0;
    next.hidden = isLast && !step.go && !part.last;
    next.querySelector("span").textContent = step.go ?? (isLast ? next.dataset.finish : next.dataset.next);
    put(step);
    card.hidden = false;
    place();
    said.textContent = `${step.title}. ${step.text}`;
    if (!focus) return;
    const control = anchor.matches(CONTROLS) ? anchor : [...anchor.querySelectorAll(CONTROLS)].find((one) => one.getClientRects().length);
    (part.inside && control ? control : card).focus({ preventScroll: true });
    for (const element of [card, anchor]) element.scrollIntoView({ block: "nearest" });
    place();
  }

  /** What is on screen decides the part; a form that came back keeps its step and the focus where it is. */
  function follow() {
    waiting = false;
    const dialog = document.querySelector("dialog[open]");
    const now = parts.find(({ root }) => (dialog ? dialog.querySelector(root) ?? (seen(root)?.closest("dialog") === dialog && seen(root)) : seen(root)));
    if (!now) return clear();
    const isNew = now !== part;
    if (!isNew && card.isConnected && !card.hidden && anchor?.isConnected && anchor.getClientRects().length) return place();
    const before = steps[at];
    part = now;
    steps = part.steps.filter((step) => seen(step.anchor));
    if (!steps.length) return clear();
    at = isNew ? 0 : Math.max(0, steps.indexOf(before));
    show({ focus: isNew });
  }

  function remember(state) {
    const headers = { ...JSON.parse(document.body.getAttribute("hx-headers") ?? "{}"), "HX-Request": "true" };
    return fetch(tour.dataset.tourUrl, { method: "POST", headers, body: new URLSearchParams({ state }), keepalive: true });
  }

  function finish(state) {
    const left = anchor;
    watch.disconnect();
    clear();
    card.remove();
    tour.remove();
    remember(state);
    showMessage(tour.dataset[state], "info"); // none once it is finished: it would cover the button to save
    (left?.isConnected && left.matches(CONTROLS) ? left : document.getElementById("content"))?.focus();
  }

  function go(step) {
    if (step < 0) return;
    if (step < steps.length) {
      at = step;
      show({ focus: true });
    } else if (part.last) finish("finished");
    else if (steps[at].go) anchor.click();
  }

  next.addEventListener("click", () => go(at + 1));
  back.addEventListener("click", () => go(at - 1));
  end.addEventListener("click", () => finish("dismissed"));
  card.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    finish("dismissed");
  });
  // Whoever saves a case has seen what the tour is for; the next page comes once the server knows that it is over.
  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const { elt, xhr } = event.detail;
    const there = xhr.getResponseHeader("HX-Redirect");
    const saved = there && elt.matches("#case-form") && new URL(elt.action).pathname.startsWith(new URL(there, location.href).pathname);
    if (!tour.isConnected || !saved) return;
    event.preventDefault();
    remember("finished").finally(() => location.assign(there));
  });
  for (const name of ["scroll", "resize"]) window.addEventListener(name, place, { capture: true, passive: true });
  const watch = new MutationObserver(() => {
    if (!waiting) requestAnimationFrame(follow);
    waiting = true;
  });
  watch.observe(document.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["open", "hidden"] });
  follow();
});
