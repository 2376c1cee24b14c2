// Opens a native dialog. The browser traps focus; it also returns it, except where the opener is in a menu that has
// closed by then, so the opener is remembered here.

const openers = new WeakMap();

export function openDialog(dialog, opener = document.activeElement) {
  if (!dialog || dialog.open) return;
  openers.set(dialog, visibleOpener(opener));
  dialog.showModal();
  const first = dialog.querySelector("[autofocus], .dialog-body :is(input:not([type=hidden]), select, textarea)");
  first?.focus();
}

export const returnFocus = (dialog) => openers.get(dialog)?.focus?.();

function visibleOpener(opener) {
  const menu = opener?.closest?.("[popover]");
  return menu ? document.querySelector(`[popovertarget="${menu.id}"]`) : opener;
}
