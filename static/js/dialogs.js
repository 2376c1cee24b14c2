// Native dialogs: opened by data-dialog-open, closed by data-dialog-close, filled by htmx in the standing one.
// The browser traps focus; it also returns it, except where the opener is in a menu that has closed by then.
import { behaviour } from "./behaviours.js";
import { askBeforeLeaving } from "./unsaved.js";

const openers = new WeakMap();

export function openDialog(dialog, opener = document.activeElement) {
  if (!dialog || dialog.open) return;
  openers.set(dialog, visibleOpener(opener));
  dialog.showModal();
  const first = dialog.querySelector("[autofocus], .dialog-body :is(input:not([type=hidden]), select, textarea)");
  first?.focus();
}

export function closeDialog(dialog) {
  askBeforeLeaving(() => dialog.close(), dialog);
}

function visibleOpener(opener) {
  const menu = opener?.closest?.("[popover]");
  return menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : opener;
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-dialog-open]");
  if (opener) {
    event.preventDefault();
    opener.closest("[popover]")?.hidePopover();
    openDialog(document.getElementById(opener.dataset.dialogOpen), opener);
  }
  const closer = event.target.closest("[data-dialog-close]");
  if (closer) closeDialog(closer.closest("dialog"));
});

behaviour("[data-dialog]", (dialog) => {
  dialog.addEventListener("cancel", (event) => {
    if (event.target !== dialog) return;
    event.preventDefault();
    closeDialog(dialog);
  });
  dialog.addEventListener("close", () => {
    openers.get(dialog)?.focus?.();
    dialog.querySelector("[data-dialog-content]")?.replaceChildren();
  });
  let pressedOutside = false;
  dialog.addEventListener("pointerdown", (event) => (pressedOutside = event.target === dialog));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog && pressedOutside) closeDialog(dialog);
  });
  if ("dialogNow" in dialog.dataset) openDialog(dialog);
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target?.id !== "dialog-content") return;
  const dialog = event.detail.target.closest("dialog");
  event.detail.target.querySelector("h2")?.setAttribute("id", "dialog-title");
  if (!event.detail.target.childElementCount) return;
  if (dialog.open) dialog.querySelector("[data-focus]")?.focus();
  else openDialog(dialog, event.detail.requestConfig?.elt);
});

document.addEventListener("dialog-closed", () => document.querySelectorAll("dialog[open]").forEach((dialog) => dialog.close()));
