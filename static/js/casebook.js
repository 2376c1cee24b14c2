// The one entry: every behaviour of the console's frame, and the start.
import "./anchor.js";
import "./dialogs.js";
import "./menus.js";
import "./tooltips.js";
import "./rail.js";
import "./panel.js";
import "./rows.js";
import "./keyboard.js";
import "./save-key.js";
import "./messages.js";
import "./requests.js";
import "./copy.js";
import "./folded.js";
import "./searchable.js";
import "./editor.js";
import "./forms.js";
import "./full-screen.js";
import "./unsaved.js";
import "./unsaved-copies.js";
import { start } from "./behaviours.js";

start();
