// What htmx could not do is said in words; an error page's part becomes a message and replaces nothing.
import { words } from "./behaviours.js";
import { showMessage } from "./messages.js";

function partOf(text) {
  return new DOMParser().parseFromString(text, "text/html").querySelector("[data-error-part]");
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status < 400) return;
  const part = partOf(event.detail.xhr.responseText);
  if (part) {
    event.detail.shouldSwap = false;
    const lines = [...part.querySelectorAll("[data-error-message], li")].map((line) => line.textContent.trim());
    showMessage(lines.join(" "), "fail");
  } else if (!event.detail.shouldSwap) {
    showMessage(words("failed"), "fail");
  }
});
// A filter that asks for nothing does not stand in the address.
document.addEventListener("htmx:configRequest", (event) => {
  const { elt, verb, parameters } = event.detail;
  if (verb !== "get" || !elt.matches("form[data-auto-submit]")) return;
  for (const name of Object.keys(parameters)) if (parameters[name] === "") delete parameters[name];
});
for (const name of ["htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(name, () => showMessage(words("unreachable"), "fail"));
}
