// A case from a conversation stays open only as long as its reader may read what it shows: asked every half minute.
import { behaviour } from "../behaviours.js";
import { showMessage } from "../messages.js";
import { closePanel } from "../panel.js";

const EVERY = 30_000;
const UNCHANGED = 204;

behaviour("[data-mask-watch]", (watched) => {
  const timer = setInterval(async () => {
    if (!watched.isConnected) return clearInterval(timer);
    const answer = await fetch(watched.dataset.maskWatch, { headers: { "HX-Request": "true" } }).catch(() => null);
    // Nothing is known while the server cannot be reached or stumbles.
    if (!answer || answer.status === UNCHANGED || answer.status >= 500 || !watched.isConnected) return;
    clearInterval(timer);
    closePanel();
    showMessage(watched.dataset.maskReason, "unscored");
  }, EVERY);
});
