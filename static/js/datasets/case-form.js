// Everything that the case form does in the browser.
import "./case-mode.js";
import "./form-rows.js";
import "./check-type.js";
import "./argument-kind.js";
import "./case-signs.js";
import "./tag-field.js";
