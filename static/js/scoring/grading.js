// The form of a dataset's grading: which card is unsaved, the judge that brings its own model, rules beside the criteria
// they could check, and the model that was added without leaving.
import { behaviour } from "../behaviours.js";

const AGENT = "agent";

const heldBy = (card) => JSON.stringify([...card.querySelectorAll("input, select, textarea")].filter((one) => one.name && !one.disabled).map((one) => [one.name.replace(/\.n?\d+\./, "."), one.type === "checkbox" ? one.checked : one.value]));

// A card that the server sent as unsaved stays so; of the others the first state is what is stored.
behaviour("[data-grading-card]", (card) => {
  if ("unsaved" in card.dataset) return;
  let stored;
  const check = () => card.toggleAttribute("data-unsaved", heldBy(card) !== stored);
  // Once every row and control of the form is bound.
  setTimeout(() => {
    stored = heldBy(card);
    card.closest("form").addEventListener("input", check);
    card.closest("form").addEventListener("change", check);
    card.closest("form").addEventListener("reset", () => setTimeout(check));
  });
});

behaviour("[data-grading-judge]", (part) => {
  const judge = part.querySelector(`[name=${AGENT}]`);
  const link = part.querySelector("[data-grading-own-link]");
  const list = link.getAttribute("href");
  const show = () => {
    part.querySelector("[data-grading-model]").hidden = judge.value !== "";
    part.querySelector("[data-grading-own]").hidden = judge.value === "";
    link.setAttribute("href", judge.value ? `${list}${judge.value}/` : list);
  };
  judge.addEventListener("change", show);
  judge.addEventListener("unsaved:filled", show);
  judge.form.addEventListener("reset", () => setTimeout(show));
  show();
});

// The n-th suggestion belongs to the n-th criterion, whatever its row is called.
behaviour("#grading-notes", (notes) => {
  const slots = [...notes.closest("form").querySelectorAll("[data-grading-rules]")];
  [...notes.querySelectorAll("template[data-grading-rules-of]")].forEach((template, place) => {
    const slot = slots[place];
    if (!slot || slot.innerHTML.trim() === template.innerHTML.trim()) return;
    slot.replaceChildren(template.content.cloneNode(true));
    window.htmx?.process(slot);
  });
});

document.addEventListener("model-added", (event) => {
  const select = document.querySelector("[data-grading-model] select");
  const { id, label } = event.detail;
  if (!select || !id) return;
  select.append(new Option(label, id));
  if (select.tomselect) {
    select.tomselect.addOption({ value: id, text: label });
    select.tomselect.setValue(id);
  } else {
    select.value = id;
  }
  select.dispatchEvent(new Event("input", { bubbles: true }));
});
