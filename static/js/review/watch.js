// A card and its table stay on screen only as long as their reader may read what they show: asked every half minute
// (RV-D15). A card that closes takes the unsaved note with it, since it may quote what is hidden now (RV-16).
import { behaviour } from "../behaviours.js";
import { showMessage } from "../messages.js";
import { closePanel } from "../panel.js";
import { markSaved } from "../unsaved.js";

const EVERY = 30_000;
const [SHOWN, NOTHING, UNKNOWN] = [200, 204, 500];

/** Asks again and again while the element is on the page, until `hear` has heard enough. */
function ask(element, address, hear) {
  const timer = setInterval(async () => {
    if (!element.isConnected) return clearInterval(timer);
    const answer = await fetch(address, { headers: { "HX-Request": "true" } }).catch(() => null);
    // Nothing is known while the server cannot be reached or stumbles.
    if (!answer || answer.status >= UNKNOWN || !element.isConnected) return;
    const holds = !answer.redirected && [SHOWN, NOTHING].includes(answer.status);
    if (!holds) clearInterval(timer);
    await hear(holds, answer);
  }, EVERY);
}

function dropNote() {
  for (const note of document.querySelectorAll("[data-note]")) {
    note.value = note.defaultValue = "";
    markSaved(note.form);
  }
}

export function closeCard() {
  const reason = document.querySelector("[data-card-watch]")?.dataset.reason;
  dropNote();
  if (!closePanel()) return location.reload();
  showMessage(reason, "unscored");
}

behaviour("[data-card-watch]", (card) => {
  ask(card, card.dataset.cardWatch, async (holds, answer) => {
    if (holds) card.innerHTML = answer.status === SHOWN ? await answer.text() : "";
    else closeCard();
  });
});

behaviour("[data-table-watch]", (table) => {
  ask(table, table.dataset.tableWatch, (holds) => {
    if (holds) return;
    if (document.querySelector("[data-card-watch]")) closeCard();
    window.htmx?.ajax("GET", table.dataset.again, { target: "#review", swap: "outerHTML" });
    showMessage(table.dataset.reason, "unscored");
  });
});

document.addEventListener("mask-changed", closeCard);
