// The place that an address names may come with a part that htmx loads: the browser looks for it only once, before that.
let wanted = location.hash.slice(1);

document.addEventListener("htmx:load", (event) => {
  const place = wanted && event.detail.elt.querySelector(`#${CSS.escape(wanted)}`);
  if (!place) return;
  wanted = "";
  place.scrollIntoView({ block: "start" });
});
