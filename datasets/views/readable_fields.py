"""The nine fields of a case as text that people read and compare line by line."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext, pgettext_lazy

from datasets.logic.drafts import CaseDraft
from datasets.models import OrderMode

LABELS: dict[str, str | Promise] = {
    "input": _("Question"),
    "history": _("Earlier conversation"),
    "reference_answer": _("Reference answer"),
    "counter_example": _("Counter-example"),
    "expected_tool_calls": _("Expected tool calls"),
    "order_mode": _("Order of the calls"),
    "checks": _("Checks"),
    "tags": pgettext_lazy("labels of a case", "Tags"),
    "note": pgettext_lazy("remark on a case", "Note"),
}


def readable(case: CaseDraft | None, name: str) -> str:
    """One field as text; lists an entry after the other, nothing where the case or the field is not there."""
    value = getattr(case, name) if case else None
    return _WRITTEN.get(name, str)(value) if value else ""


def _turns(turns: list[dict[str, Any]]) -> str:
    return "\n".join(f"{_speaker(turn)}: {turn['content']}" for turn in turns)


def _speaker(turn: Mapping[str, Any]) -> str:
    if turn["role"] == "user":
        return pgettext("role in a conversation", "User")
    return pgettext("role in a conversation", "Agent")


def _calls(calls: list[dict[str, Any]]) -> str:
    return "\n".join(_named(call["tool"], call.get("args", {})) for call in calls)


def _checks(checks: list[dict[str, Any]]) -> str:
    return "\n".join(
        _named(check["type"], {name: value for name, value in check.items() if name != "type"}) for check in checks
    )


def _named(name: str, values: Mapping[str, Any]) -> str:
    """One entry: what is short in a line, objects and lists below it, so that a change in them is a line too."""
    plain = [f"{key}: {_json(value)}" for key, value in values.items() if not isinstance(value, dict | list)]
    nested = [f"    {key}: {_json(value)}" for key, value in values.items() if isinstance(value, dict | list)]
    return "\n".join([f"{name} ({', '.join(plain)})" if plain else name, *nested])


def _json(value: Any) -> str:
    lines = json.dumps(value, ensure_ascii=False, indent=2 if isinstance(value, dict | list) else None)
    return lines.replace("\n", "\n    ")


_WRITTEN: dict[str, Callable[[Any], str]] = {
    "history": _turns,
    "expected_tool_calls": _calls,
    "order_mode": lambda mode: str(OrderMode(mode).label),
    "checks": _checks,
    "tags": "\n".join,
}
