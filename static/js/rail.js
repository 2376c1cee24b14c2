// The rail: collapsed to icons (remembered in a cookie, so that the server draws it so), and the drawer on narrow screens.
import { behaviour } from "./behaviours.js";

const root = document.documentElement;
const YEAR = 31_536_000;

behaviour("[data-rail-toggle]", (button) => {
  button.addEventListener("click", () => {
    const narrow = root.dataset.rail !== "icons";
    if (narrow) root.dataset.rail = "icons";
    else delete root.dataset.rail;
    document.cookie = `rail=${narrow ? "icons" : "wide"}; path=/; max-age=${YEAR}; samesite=lax`;
  });
});

function setDrawer(open) {
  root.toggleAttribute("data-drawer", open);
  const button = document.querySelector("[data-drawer-open]");
  button?.setAttribute("aria-expanded", String(open));
  document.querySelector(".frame-main")?.toggleAttribute("inert", open);
  if (open) document.querySelector("#rail .rail-entry")?.focus();
  else button?.focus();
}

export const closeDrawer = () => root.hasAttribute("data-drawer") && (setDrawer(false), true);

behaviour("[data-drawer-open]", (button) => button.addEventListener("click", () => setDrawer(true)));
behaviour("[data-drawer-close]", (button) => button.addEventListener("click", () => setDrawer(false)));
document.addEventListener("click", (event) => {
  if (root.hasAttribute("data-drawer") && event.target.matches(".frame")) setDrawer(false);
});
