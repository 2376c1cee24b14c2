// The Markdown editor: Write and Preview (the server's renderer) and a small tool bar. No key is taken from people.
import { behaviour, words } from "./behaviours.js";

const TOOLS = { bold: ["**", "**"], italic: ["*", "*"], code: ["`", "`"], link: ["[", "](https://)"], heading: ["## ", "", true], list: ["- ", "", true] };

function apply(text, [before, after, whole]) {
  const { selectionStart: start, selectionEnd: end, value } = text;
  const from = whole ? value.lastIndexOf("\n", start - 1) + 1 : start;
  const chosen = value.slice(from, end);
  const made = whole ? chosen.split("\n").map((line) => before + line).join("\n") : before + chosen + after;
  text.focus();
  text.setRangeText(made, from, end, "end");
  if (!whole && !chosen) text.setSelectionRange(from + before.length, from + before.length);
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

async function preview(editor, text, into) {
  const headers = JSON.parse(document.body.getAttribute("hx-headers") ?? "{}");
  try {
    const response = await fetch(editor.dataset.previewUrl, { method: "POST", headers: { ...headers, "HX-Request": "true" }, body: new URLSearchParams({ text: text.value }) });
    if (!response.ok) throw new Error(String(response.status));
    into.innerHTML = await response.text();
  } catch {
    into.textContent = words("failed");
  }
}

behaviour("[data-editor]", (editor) => {
  const text = editor.querySelector("textarea");
  const shown = editor.querySelector("[data-editor-preview]");
  const [write, show] = [editor.querySelector("[data-editor-write]"), editor.querySelector("[data-editor-show]")];
  const choose = (tab) => {
    const previewing = tab === show;
    text.parentElement.hidden = previewing;
    shown.hidden = !previewing;
    for (const one of [write, show]) {
      one.setAttribute("aria-selected", String(one === tab));
      one.tabIndex = one === tab ? 0 : -1;
    }
    if (previewing) preview(editor, text, shown);
  };
  for (const tab of [write, show]) {
    tab.addEventListener("click", () => choose(tab));
    tab.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
      const other = tab === write ? show : write;
      choose(other);
      other.focus();
    });
  }
  for (const tool of editor.querySelectorAll("[data-editor-tool]")) {
    tool.addEventListener("click", () => {
      choose(write);
      apply(text, TOOLS[tool.dataset.editorTool]);
    });
  }
});
