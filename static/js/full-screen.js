// Full screen hides rail and head; f and the button switch it.
import { behaviour } from "./behaviours.js";

export function toggleFullScreen(on) {
  document.documentElement.toggleAttribute("data-full-screen", on);
}
behaviour("[data-full-screen]:not(html)", (button) => button.addEventListener("click", () => toggleFullScreen()));
