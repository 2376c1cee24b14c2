// Full screen hides rail and head; f and the button switch it. It stays while one moves between the areas of a page.
import { behaviour } from "./behaviours.js";

const KEPT = "casebook.full-screen";

export function toggleFullScreen(on) {
  if (document.documentElement.toggleAttribute("data-full-screen", on)) sessionStorage.setItem(KEPT, location.pathname);
  else sessionStorage.removeItem(KEPT);
}

if (sessionStorage.getItem(KEPT) === location.pathname) toggleFullScreen(true);
behaviour("[data-full-screen]:not(html)", (button) => button.addEventListener("click", () => toggleFullScreen()));
