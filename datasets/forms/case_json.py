"""A whole case as JSON in the shape of an import: written for people, read with line and key of what is wrong."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Problem
from core.json_places import last_key_before, line_of
from core.json_words import words_of
from core.problems import Problem as Found
from core.problems import gettext_noop
from core.refusals import said
from core.strict_json import JSONFault, read_json
from core.texts import type_name
from datasets.forms.case_values import pretty
from datasets.logic.drafts import FIELDS
from datasets.logic.jsonl_reader import LINE_DEPTH
from datasets.logic.validation import unknown_field

JSON_FIELD = "case_json"


def as_text(values: Mapping[str, Any]) -> str:
    """The nine fields in their order, one under the other (DS-D49)."""
    return pretty({name: values[name] if name == "input" else values[name] or _empty(values[name]) for name in FIELDS})


def _empty(value: Any) -> Any:
    return [] if isinstance(value, list | tuple) else None


def read_text(text: str) -> tuple[dict[str, Any] | None, list[str]]:
    """The fields that were written, None where it is no object, and what is wrong so far."""
    text = text.replace("\r\n", "\n")
    try:
        value = read_json(text, depth=LINE_DEPTH)
    except JSONFault as fault:
        return None, [_said_fault(text, fault)]
    if not isinstance(value, dict):
        return None, [said(not_an_object(value)).message]
    unknown = [said(unknown_field(name)) for name in value if name not in FIELDS]
    known = {name: part for name, part in value.items() if name in FIELDS}
    return known, json_problems(text, unknown)


def json_problems(text: str, problems: Iterable[Problem]) -> list[str]:
    """Each problem with the line and the key it belongs to (DS-D27)."""
    text = text.replace("\r\n", "\n")
    return [
        _("Line %(line)d, %(key)s: %(message)s")
        % {"line": line_of(text, problem.field), "key": problem.field, "message": problem.message}
        for problem in problems
    ]


def not_an_object(value: Any) -> Found:
    """Said where the JSON is a list or a text."""
    return Found("", gettext_noop("A case is one object with its fields, not %(type)s."), {"type": type_name(value)})


def _said_fault(text: str, fault: JSONFault) -> str:
    key = last_key_before(text, fault.line, fault.column, FIELDS)
    why = words_of(fault)
    return _("In %(key)s, %(why)s.") % {"key": key, "why": why} if key else _("%(why)s.") % {"why": why}
