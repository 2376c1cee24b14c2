// The note of a decision: Esc leaves it and leaves the card open, so that the keys for deciding work again; a note that
// is saved while its reader goes on shows in the row of its answer.
import { behaviour } from "../behaviours.js";

behaviour("[data-note]", (note) => {
  note.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    note.blur();
  });
  note.form.addEventListener("unsaved:saved", ({ detail }) => {
    const row = new DOMParser().parseFromString(detail.text, "text/html").querySelector('[id^="outcome-"]');
    const shown = row && document.getElementById(row.id);
    row?.removeAttribute("hx-swap-oob");
    shown?.replaceWith(document.importNode(row, true));
  });
});
