"""Rows of the case form: the lists of a case as ordinary fields, and the fields that were sent as those lists.

The name of each field is the path that a problem has: `checks.0.value`, `expected_tool_calls.1.args.0.name`. The parts
between the dots that tell rows apart may be any word; the order of the rows is the order in which they were sent. What
fields cannot carry exactly (a line end of another kind, an argument without a name) is a row of JSON instead, so that
opening and saving a case changes nothing.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from core.json_values import same_json
from core.json_words import words_of
from core.strict_json import JSONFault, read_json
from datasets.forms.case_values import pretty
from datasets.forms.check_fields import ASKED, FIELDS_OF

# The arguments of a call may be 32 levels deep, and stand in an object.
ROW_DEPTH = 34
# A call with more arguments is a row of JSON, so that a form stays below the most fields a request may have.
ARGUMENTS_AS_ROWS = 25
RAW = "json"

Sent = Mapping[str, list[str]]


@dataclass
class Row:
    """One turn, call, argument or check: the values of its fields, and what is wrong with each."""

    path: str
    values: dict[str, str]
    arguments: list["Row"] = field(default_factory=list)
    errors: dict[str, list[str]] = field(default_factory=dict)

    @property
    def is_raw(self) -> bool:
        return RAW in self.values

    @property
    def has_errors(self) -> bool:
        return bool(self.errors) or any(argument.errors for argument in self.arguments)

    @property
    def general_errors(self) -> list[str]:
        return self.errors.get("", [])

    @property
    def argument_errors(self) -> list[str]:
        return self.errors.get("args", [])

    @property
    def blank_argument(self) -> "Row":
        return Row(f"{self.path}.args.__argument__", {"kind": "text"})

    def say(self, part: str, message: str) -> None:
        said = self.errors.setdefault(part, [])
        if message not in said:
            said.append(message)

    def is_blank(self, *parts: str) -> bool:
        return not any(self.values.get(part, "").strip() for part in parts)


# --- From a case to rows


def turn_row(path: str, turn: Any) -> Row:
    return _exact(path, turn, lambda: Row(path, {"role": turn["role"], "content": turn["content"]}), read_turn)


def call_row(path: str, call: Any) -> Row:
    def rows() -> Row:
        arguments = [argument_row(f"{path}.args.{place}", *pair) for place, pair in enumerate(call["args"].items())]
        if len(arguments) > ARGUMENTS_AS_ROWS:
            raise ValueError("too many arguments to show")
        return Row(path, {"tool": call["tool"]}, arguments)

    return _exact(path, call, rows, read_call)


def argument_row(path: str, name: str, value: Any) -> Row:
    """Text as text, everything else as JSON, so that "12" and 12 stay different (DS-D25)."""
    as_text = isinstance(value, str) and "\r" not in value
    text = value if as_text else pretty(value)
    return Row(path, {"name": name, "kind": "text" if as_text else "json", "value": text})


def check_row(path: str, check: Any) -> Row:
    def rows() -> Row:
        values = {"type": check["type"]}
        for name in FIELDS_OF[check["type"]]:
            asked = ASKED[name]
            if asked.parameter in check:
                values[asked.parameter] = _shown(asked.kind, asked.parameter, check[asked.parameter])
        return Row(path, values)

    return _exact(path, check, rows, read_check)


def _shown(kind: str, parameter: str, value: Any) -> str:
    if parameter == "schema" or kind in ("number", "tick"):
        return pretty(value) if parameter == "schema" or not isinstance(value, str) else value
    if not isinstance(value, str):
        raise TypeError(parameter)
    return value


def _exact(path: str, value: Any, rows: Callable[[], Row], read: Callable[[Row], Any]) -> Row:
    """The row of fields where reading it again gives the same value, else a row of JSON."""
    try:
        row = rows()
        if not any("\r" in text for text in _texts(row)) and not _breaks_lines(row) and same_json(read(row), value):
            return row
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    return Row(path, {RAW: pretty(value)})


def _texts(row: Row) -> Iterable[str]:
    yield from row.values.values()
    for argument in row.arguments:
        yield from argument.values.values()


def _breaks_lines(row: Row) -> bool:
    """Whether a field of one line would hold a line break, which browsers take away."""
    lines = [row.values.get("tool", ""), row.values.get("path", "")]
    return any("\n" in text for text in [*lines, *(argument.values["name"] for argument in row.arguments)])


# --- From what was sent to rows


def sent_rows(sent: Sent, prefix: str) -> list[Row]:
    """The rows under `prefix` in the order in which they were sent, renumbered from 0."""
    rows = []
    for place, parts in enumerate(_grouped(sent, prefix).values()):
        path = f"{prefix}.{place}"
        values = {name: _joined(name, texts) for name, texts in parts.items() if not name.startswith("args.")}
        arguments = {name: texts for name, texts in parts.items() if name.startswith("args.")}
        inner = [
            Row(f"{path}.args.{number}", {name: _joined(name, texts) for name, texts in own.items()})
            for number, own in enumerate(_grouped(arguments, "args").values())
        ]
        rows.append(Row(path, values, inner))
    return rows


def _grouped(sent: Sent, prefix: str) -> dict[str, dict[str, list[str]]]:
    found: dict[str, dict[str, list[str]]] = {}
    for name, texts in sent.items():
        begin, dot, rest = name[len(prefix) + 1 :].partition(".")
        if name.startswith(f"{prefix}.") and dot:
            found.setdefault(begin, {})[rest] = texts
    return found


def _joined(name: str, texts: list[str]) -> str:
    """The value of a field; a tick box says true beside the false that is sent where false is stored."""
    text = "true" if name == "case_sensitive" and "true" in texts else texts[-1]
    return text.replace("\r\n", "\n").replace("\r", "\n")


# --- From rows to a case; what cannot be read is said at its field, and the value is None for a row that is blank


def read_turn(row: Row) -> Any:
    if row.is_raw:
        return _json(row, RAW)
    if row.is_blank("content"):
        return None
    return {"role": row.values.get("role", ""), "content": row.values["content"]}


def read_call(row: Row) -> Any:
    if row.is_raw:
        return _json(row, RAW)
    args: dict[str, Any] = {}
    for argument in row.arguments:
        name = argument.values.get("name", "")
        if argument.is_blank("name", "value"):
            continue
        if not name.strip():
            argument.say("name", _("Give the argument a name."))
        elif name in args:
            argument.say("name", _("Another argument of this call has the name %(name)s.") % {"name": name})
        else:
            args[name] = _json(argument, "value") if argument.values.get("kind") == "json" else _value_of(argument)
    tool = row.values.get("tool", "")
    return {"tool": tool, "args": args} if tool.strip() or (row.arguments and not _all_blank(row.arguments)) else None


def read_check(row: Row) -> Any:
    if row.is_raw:
        return _json(row, RAW)
    kind = row.values.get("type", "")
    check: dict[str, Any] = {"type": kind}
    for name in FIELDS_OF.get(kind, ()):
        asked = ASKED[name]
        text = row.values.get(asked.parameter, "")
        if text.strip() or (text and asked.kind in ("text", "code", "line") and asked.parameter != "schema"):
            check[asked.parameter] = _parameter(row, asked.parameter, asked.kind, text)
    return check


def _parameter(row: Row, parameter: str, kind: str, text: str) -> Any:
    if parameter == "schema":
        return _json(row, parameter)
    if kind == "tick":
        return text == "true"
    return number_of(text) if kind == "number" else text


def number_of(text: str) -> Any:
    """The number as JSON reads it, so that 1 and 1.0 stay different; a text that is none stays text, to be refused."""
    try:
        value = read_json(text.strip())
    except JSONFault:
        return text.strip()
    return value if isinstance(value, int | float) and not isinstance(value, bool) else text.strip()


def _value_of(row: Row) -> str:
    return row.values.get("value", "")


def _all_blank(arguments: list[Row]) -> bool:
    return all(argument.is_blank("name", "value") for argument in arguments)


def _json(row: Row, part: str) -> Any:
    try:
        return read_json(row.values.get(part, ""), depth=ROW_DEPTH)
    except JSONFault as fault:
        row.say(part, _("This is no JSON: %(why)s.") % {"why": words_of(fault)})
        return None
