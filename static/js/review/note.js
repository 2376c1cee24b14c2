// The note of a decision: Esc leaves it and leaves the card open, so that the keys for deciding work again.
import { behaviour } from "../behaviours.js";

behaviour("[data-note]", (note) => {
  note.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    note.blur();
  });
});
