// Copy buttons, and one on each block of code in rendered Markdown.
import { behaviour } from "./behaviours.js";

const SAID_FOR = 1500;

async function copy(button) {
  const from = button.dataset.copyFrom ? document.querySelector(button.dataset.copyFrom) : null;
  const code = button.closest(".code-wrap")?.querySelector("pre");
  const text = button.dataset.copy || from?.value || (from ?? code)?.textContent || "";
  await navigator.clipboard.writeText(text);
  const name = button.getAttribute("aria-label");
  button.dataset.copied = "";
  button.setAttribute("aria-label", button.dataset.copiedLabel);
  setTimeout(() => {
    delete button.dataset.copied;
    button.setAttribute("aria-label", name);
  }, SAID_FOR);
}

behaviour("[data-copy]", (button) => button.addEventListener("click", () => copy(button)));
behaviour("[data-code-copy] pre, pre.code-block", (block) => {
  const template = document.getElementById("copy-template");
  if (!template || block.parentElement.matches(".code-wrap")) return;
  const wrap = document.createElement("div");
  wrap.className = "code-wrap";
  block.replaceWith(wrap);
  block.tabIndex = 0;
  const button = template.content.firstElementChild.cloneNode(true);
  button.addEventListener("click", () => copy(button));
  wrap.append(block, button);
});
