// Native dialogs: opened by data-dialog-open, closed by data-dialog-close, filled by htmx in the standing one.
import { behaviour } from "./behaviours.js";
import { openDialog, returnFocus } from "./open-dialog.js";
import { askBeforeLeaving } from "./unsaved.js";

function closeDialog(dialog) {
  askBeforeLeaving(() => dialog.close(), dialog);
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
    returnFocus(dialog);
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
