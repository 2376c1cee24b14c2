"""Answers that are JSON: strict reading, numbers as they were written, and the text of a value (SC-D25, SC-D26)."""

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from core.json_values import deeper_than
from core.limits import LIMITS
from core.problems import gettext_noop
from scoring.logic.findings import Reason

_FENCE = re.compile(r"\s*(?:```|~~~)")

TOO_LONG = Reason(gettext_noop("The answer is too long to read as JSON"))
TOO_DEEP = Reason(gettext_noop("The answer nests too deep to read as JSON"))
FENCED = Reason(gettext_noop("The answer is not JSON: it stands in a code fence"))
EMPTY = Reason(gettext_noop("The answer is not JSON: it is empty"))
NOT_JSON = gettext_noop("The answer is not JSON: line %(line)d, column %(column)d")
NO_SUCH_NUMBER = gettext_noop("The answer is not JSON: %(name)s is no number that JSON has")


class Number(str):
    """A number as the answer writes it; nothing is computed, so no length of it can do harm."""

    __slots__ = ()


@dataclass(frozen=True)
class Unread:
    """Why an answer has no value: a fault of the answer fails its checks, a bound of ours is an error."""

    why: Reason
    is_error: bool = False


class _Constant(Exception):
    pass


def read_answer(text: str) -> Any:
    """The value of an answer that is one JSON text apart from whitespace around it, or `Unread`; raises nothing.

    No code fence, no comment, no NaN; of a repeated key the last counts. Numbers are `Number`.
    """
    if len(text) > LIMITS.answer_characters:
        return Unread(TOO_LONG, is_error=True)
    try:
        value = _DECODER.decode(text.strip())
    except json.JSONDecodeError as error:
        return _not_json(text, error)
    except _Constant as constant:
        return Unread(Reason(NO_SUCH_NUMBER, {"name": str(constant)}))
    except RecursionError:
        return Unread(TOO_DEEP, is_error=True)
    if text.count("[") + text.count("{") > LIMITS.answer_json_depth and deeper_than(value, LIMITS.answer_json_depth):
        return Unread(TOO_DEEP, is_error=True)
    return value


def text_of(value: Any) -> str:
    """What text a value has: a string itself, all else as JSON without spaces, in the answer's order of keys."""
    if type(value) is str:
        return value
    return written(value)


def written(value: Any) -> str:
    """The value as compact JSON, with the numbers as the answer has them."""
    if type(value) is Number:
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join([f"{_quoted(key)}:{written(inner)}" for key, inner in value.items()]) + "}"
    if isinstance(value, list):
        return "[" + ",".join([written(inner) for inner in value]) + "]"
    return _quoted(value)


def _constant(name: str) -> NoReturn:
    raise _Constant(name)


_DECODER = json.JSONDecoder(parse_float=Number, parse_int=Number, parse_constant=_constant)
_quoted = json.JSONEncoder(ensure_ascii=False).encode


def _not_json(text: str, error: json.JSONDecodeError) -> Unread:
    if not text.strip():
        return Unread(EMPTY)
    if _FENCE.match(text):
        return Unread(FENCED)
    start = len(text) - len(text.lstrip())
    before = text[: start + error.pos]
    column = len(before) - (before.rfind("\n") + 1) + 1
    return Unread(Reason(NOT_JSON, {"line": before.count("\n") + 1, "column": column}))
