"""What the case form asks for each type of check, beside the type (DS-102); the rules are in `logic/checks.py`."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True)
class Asked:
    """One field of a check: the parameter it fills, and how it is shown. `kind` is text, code, line, number, choice
    or tick."""

    parameter: str
    kind: str
    label: Any
    help: Any = ""
    choices: tuple[tuple[str, Any], ...] = ()


UNITS = (("characters", _("characters")), ("words", _("words")))

ASKED = {
    "text": Asked("value", "text", _("Text")),
    "pattern": Asked("value", "code", _("Pattern"), _("A regular expression, found anywhere in the answer.")),
    "schema": Asked("schema", "code", _("JSON Schema"), _("Draft 2020-12. The answer has to be JSON.")),
    "cost": Asked("value", "number", _("At most, in US dollars")),
    "latency": Asked("value", "number", _("At most, in milliseconds")),
    "unit": Asked("unit", "choice", _("Counted in"), choices=UNITS),
    "min": Asked("min", "number", pgettext_lazy("length of an answer", "At least")),
    "max": Asked("max", "number", pgettext_lazy("length of an answer", "At most")),
    "criterion": Asked("criterion", "text", _("Criterion"), _("What the judge has to find true of the answer.")),
    "path": Asked("path", "line", _("Path"), _("Inside an answer that is JSON, such as items.0.name.")),
    "case_sensitive": Asked("case_sensitive", "tick", _("Capital and small letters differ")),
}

TYPES = {
    "contains": _("Contains a text"),
    "not_contains": _("Does not contain a text"),
    "equals": _("Equals a text"),
    "regex": _("Matches a pattern"),
    "json_schema": _("Is JSON that fits a schema"),
    "max_cost_usd": _("Costs at most"),
    "max_latency_ms": _("Takes at most"),
    "length": _("Has a length"),
    "judge": _("Meets a criterion, by the judge"),
}

_TEXT = ("text", "path", "case_sensitive")

FIELDS_OF: dict[str, tuple[str, ...]] = {
    "contains": _TEXT,
    "not_contains": _TEXT,
    "equals": _TEXT,
    "regex": ("pattern", "path", "case_sensitive"),
    "json_schema": ("schema", "path"),
    "max_cost_usd": ("cost",),
    "max_latency_ms": ("latency",),
    "length": ("unit", "min", "max", "path"),
    "judge": ("criterion",),
}
