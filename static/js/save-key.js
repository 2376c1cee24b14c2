// Ctrl+Enter (on a Mac ⌘+Enter) saves the form that somebody writes in, as its Save button does.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing || event.defaultPrevented) return;
  const form = event.target.closest?.("form[data-unsaved-guard]");
  const save = form?.querySelector("button.button-primary[type=submit]:not(:disabled)");
  if (!save) return;
  event.preventDefault();
  form.requestSubmit(save);
});
