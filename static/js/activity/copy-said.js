// Menu entries that copy a text, or what an address gives, and say so: `data-copy-text="…"`, `data-copy-fetched="/…"`.
import { behaviour, words } from "../behaviours.js";
import { showMessage } from "../messages.js";

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(String(response.status));
  return response.text();
}

behaviour("[data-copy-text], [data-copy-fetched]", (button) => button.addEventListener("click", async () => {
  try {
    const { copyText, copyFetched, copiedLabel } = button.dataset;
    await navigator.clipboard.writeText(copyText ?? (await fetched(copyFetched)));
    showMessage(copiedLabel, "pass");
  } catch {
    showMessage(words("failed"), "fail");
  }
}));
