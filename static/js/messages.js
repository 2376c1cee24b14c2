// Messages at the foot of the page: what just happened. Good news goes by itself, the rest stays until dismissed.
import { behaviour } from "./behaviours.js";

const SECONDS = 6;

export function showMessage(text, kind = "info") {
  const template = document.getElementById(`message-${kind}`) ?? document.getElementById("message-info");
  const region = document.getElementById("messages");
  if (!template || !region || !text) return;
  const message = template.content.firstElementChild.cloneNode(true);
  message.querySelector(".message-text").textContent = text;
  region.append(message);
  bind(message);
}

function bind(message) {
  message.querySelector("[data-message-dismiss]")?.addEventListener("click", () => message.remove());
  if (message.matches(".message-fail, .message-unscored")) return;
  let timer;
  const seconds = Number(message.dataset.messageSeconds ?? SECONDS);
  const goSoon = () => (timer = setTimeout(() => message.remove(), seconds * 1000));
  message.addEventListener("pointerenter", () => clearTimeout(timer));
  message.addEventListener("focusin", () => clearTimeout(timer));
  message.addEventListener("pointerleave", goSoon);
  message.addEventListener("focusout", goSoon);
  goSoon();
}

behaviour("#messages [data-message]", bind);
document.addEventListener("message-shown", (event) => showMessage(event.detail.text, event.detail.kind));
