"""The values of a case's fields as the form compares and shows them."""

import json
from typing import Any

from django.utils.translation import gettext_lazy as _

from core.json_values import same_json

TEXTS = ("input", "reference_answer", "counter_example", "note")
LABELS = {
    "input": _("Question"),
    "history": _("Earlier conversation"),
    "reference_answer": _("Reference answer"),
    "counter_example": _("Counter-example"),
    "expected_tool_calls": _("Expected tool calls"),
    "order_mode": _("Order"),
    "checks": _("Checks"),
    "tags": _("Tags"),
    "note": _("Note"),
}


def label_of(name: str) -> str:
    return str(LABELS[name])


def same_field(name: str, one: Any, other: Any) -> bool:
    """Whether a field holds the same, nothing and empty being one (DS-D22)."""
    return same_json(_plain(name, one), _plain(name, other))


def _plain(name: str, value: Any) -> Any:
    if name == "order_mode":
        return value or "any"
    if name in TEXTS:
        return None if value is None or (isinstance(value, str) and not value.strip()) else value
    return value or []


def is_empty(name: str, value: Any) -> bool:
    """Whether the field holds nothing."""
    return _plain(name, value) in (None, [])


def pretty(value: Any) -> str:
    """JSON as people read and edit it."""
    return json.dumps(value, ensure_ascii=False, indent=2)


def text_of(name: str, value: Any) -> str:
    """A field as one text, for comparing two of them on a page."""
    if name in TEXTS or name == "order_mode":
        return value or ""
    if name == "tags":
        return ", ".join(map(str, value or []))
    if name == "history":
        return "\n\n".join(
            f"{turn.get('role')}: {turn.get('content')}" for turn in value or [] if isinstance(turn, dict)
        )
    return "\n".join(pretty(one) for one in value or [])
