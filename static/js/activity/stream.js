// A question goes out and its answer is shown as it comes: plain text first, each finished step as the server made it.
import { behaviour, mount, words } from "../behaviours.js";
import { showMessage } from "../messages.js";
import { readLines } from "./lines.js";

const LINES = "application/x-ndjson";
const NEAR = 120;
const TRIES = 8;
const PAUSE = 600;
let under = null; // the answer under way: one at a time
let opened = false; // whether a conversation took the place of the start page

behaviour("form[data-chat-form]", (form) => {
  const box = form.querySelector("[data-question]");
  box?.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  form.querySelector("[data-stop]")?.addEventListener("click", () => under?.abort());
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!under && form.elements.text.value.trim()) ask(form);
  });
  showBusy();
});

behaviour("[data-thread]", (thread) => {
  if (!location.hash && !location.search && thread.childElementCount) scrollTo({ top: document.documentElement.scrollHeight });
});

async function ask(form) {
  under = new AbortController();
  showBusy();
  let exchange = null;
  try {
    const headers = { Accept: LINES, "HX-Request": "true" };
    const response = await fetch(form.action, { method: "POST", body: new FormData(form), headers, signal: under.signal });
    if (!isStream(response)) return await refuse(response);
    let ended = false;
    await readLines(response.body, (line) => {
      const follow = isAtEnd();
      if (line.type === "opened") open(line);
      else if (line.type === "question") exchange = begin(line, form);
      else if (exchange) exchange = grow(exchange, line);
      ended ||= line.type === "end";
      if (follow || line.type === "question") scrollTo({ top: document.documentElement.scrollHeight });
    });
    if (!ended) throw new Error("the answer has no end");
  } catch (error) {
    if (error.name !== "AbortError") showMessage(exchange ? composer().dataset.wordsCut : words("unreachable"), "fail");
    if (exchange) refresh(exchange);
  } finally {
    under = null;
    showBusy();
  }
}

const composer = () => document.querySelector("form[data-composer]");
const isStream = (response) => response.ok && response.headers.get("Content-Type")?.startsWith(LINES);
const isAtEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR;

function showBusy() {
  for (const form of document.querySelectorAll("form[data-chat-form]")) {
    const [stop, send] = [form.querySelector("[data-stop]"), form.querySelector("[type=submit]")];
    if (stop) stop.hidden = !under;
    if (send) send.hidden = Boolean(under && stop);
    if (send) send.disabled = Boolean(under);
  }
}

async function refuse(response) {
  const there = response.headers.get("HX-Redirect");
  if (there || response.redirected) return location.assign(there ?? location.href);
  const part = fragment(await response.text()).querySelector("[data-error-part]");
  const lines = [...(part?.querySelectorAll("li") ?? [])].map((line) => line.textContent.trim());
  showMessage(lines.join(" ") || part?.querySelector("[data-error-message]")?.textContent || words("failed"), "fail");
}

// The first question opens its conversation's page in place of the start.
function open(line) {
  const main = document.getElementById("content");
  main.replaceChildren(fragment(line.html));
  history.pushState({ chat: line.href }, "", line.href);
  document.title = line.title + document.title.slice(document.title.lastIndexOf(" · "));
  opened = true;
  ready(main);
  showBusy();
  composer()?.elements.text.focus();
}

function begin(line, form) {
  const thread = document.querySelector("[data-thread]");
  thread.querySelectorAll("form[data-chat-form]").forEach((again) => again.remove());
  const exchange = fragment(line.html).firstElementChild;
  thread.append(exchange);
  ready(exchange);
  const box = form.querySelector("[data-question]");
  if (box) box.value = "";
  return exchange;
}

function grow(exchange, line) {
  const pieces = exchange.querySelector("[data-answer-pieces]");
  if (line.type === "text") pieces.append(line.text);
  if (line.type === "step") {
    pieces.replaceChildren();
    put(exchange, document.getElementById(line.id), line.html);
  }
  if (line.type !== "end") return exchange;
  document.querySelector("[data-answer-said]").textContent = line.said;
  return replace(exchange, line.html);
}

function put(exchange, old, html) {
  if (old) return replace(old, html);
  const step = fragment(html).firstElementChild;
  exchange.querySelector("[data-answer-steps]").append(step);
  return ready(step);
}

function replace(old, html) {
  const open = [...old.querySelectorAll("details[open][id]")].map((details) => details.id);
  const made = fragment(html).firstElementChild;
  for (const id of open) made.querySelector(`#${CSS.escape(id)}`)?.setAttribute("open", "");
  old.replaceWith(made);
  return ready(made);
}

// What is stored, once the server has noticed that nobody reads on; the exchange asks on by itself where it has not.
async function refresh(exchange) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const response = await fetch(exchange.dataset.exchange, { headers: { "HX-Request": "true" } }).catch(() => null);
    if (!response?.ok) return;
    const html = await response.text();
    const isRunning = fragment(html).querySelector("[aria-busy]");
    if (!isRunning || tries === TRIES - 1) return void replace(exchange, html);
    await new Promise((go) => setTimeout(go, PAUSE));
  }
}

function fragment(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return template.content;
}

function ready(element) {
  window.htmx?.process(element);
  mount(element);
  return element;
}

addEventListener("popstate", () => opened && location.reload());
