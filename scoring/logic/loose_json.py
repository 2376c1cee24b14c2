"""The JSON value in a text that a model wrote around it: fences, thinking, line breaks inside strings (SC-D39, BC-23).

One value is taken whole or not at all. Nothing inside of a string is ever changed, looked at as a bracket, or taken for
the end of a fence or of thinking: there stands what a judge quotes, and it may be hostile (BC-22, BC-25).
"""

import re
from dataclasses import dataclass, replace
from typing import Any

from core.strict_json import JSONFault, read_json

FENCES = ("```", "~~~")
# Ends of thinking that are tried as the reply's beginning; more of them are no reply but a riddle.
ENDS_TRIED = 16

_NAMES = "think|thinking|thought|thoughts|reasoning|reflection|analysis"
_THINKING_BEGINS = re.compile(rf"\s*(?:<(?:{_NAMES})>|\[think\])", re.IGNORECASE)
_THINKING_ENDS = re.compile(rf"</(?:{_NAMES})>|\[/think\]", re.IGNORECASE)
# A string, also one that never ends: no beginning is tried twice, so that time stays linear.
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
_STRING_OR_BRACKET = re.compile(rf"{_STRING}|[{{}}\[\]]", re.DOTALL)
_STRING_OR_COMMA = re.compile(rf"{_STRING}|,(?=\s*[}}\]])", re.DOTALL)
_ESCAPE_OR_CONTROL = re.compile(r"\\.|[\x00-\x1f]", re.DOTALL)
_FIRST_OBJECT = re.compile(r"(?:\[\s*)?\{")
_ANOTHER_REPLY = re.compile(r'"(?:verdicts|criterion)"\s*:')


@dataclass(frozen=True)
class LooseValue:
    """The value, and whether a comma too many had to be forgiven for it.

    `picked` is its text where other text stands around it, so that somebody had to pick it; else empty.
    """

    value: Any
    is_repaired: bool
    picked: str = ""


def json_in(text: str) -> LooseValue | None:
    """The one JSON value of the text, or None where there is none, or where it is not clear which.

    The whole text without a fence around it, else from the first `{` to its matching `}`, behind what a model thought.
    Brackets of a list that begins with that `{` belong to it. None where another reply follows: which one counts would
    be a guess, and the first may be a quotation.
    """
    whole = _read(_without_fence(text))
    return whole if whole is not None else _object_in(text)


def _object_in(text: str) -> LooseValue | None:
    ends = [found.end() for found in _THINKING_ENDS.finditer(text)]
    last = ends[-1] if ends else 0
    begins_with_thinking = _THINKING_BEGINS.match(text) is not None
    starts = [*reversed(ends[-ENDS_TRIED:]), *([] if begins_with_thinking else [0])]
    for start in starts:
        place = _place_of_object(text, start)
        # An object that ends before the last end of thinking is a part of the thinking.
        if place is None or (start < last and place[1] < last):
            continue
        picked = text[place[0] : place[1]]
        found = _read(picked)
        if found is not None:
            return None if _ANOTHER_REPLY.search(text, place[1]) else replace(found, picked=picked)
    return None


def _place_of_object(text: str, start: int) -> tuple[int, int] | None:
    """From the first `{`, or the `[` right before it, to the bracket that closes it."""
    first = _FIRST_OBJECT.search(text, start)
    if first is None:
        return None
    level = 0
    for token in _STRING_OR_BRACKET.finditer(text, first.start()):
        level += 1 if token[0] in "{[" else -1 if token[0] in "}]" else 0
        if level == 0:
            return first.start(), token.end()
    return None


def _without_fence(text: str) -> str:
    """The text between a fence on its first line and the same at its end."""
    bare = text.strip()
    fence = bare[:3]
    if fence in FENCES and bare.endswith(fence):
        return bare.partition("\n")[2].removesuffix(fence)
    return bare


def _read(text: str) -> LooseValue | None:
    """The value of a JSON text whose strings may hold raw line breaks; a comma before a closing bracket is forgiven."""
    readable = _STRING_OR_COMMA.sub(lambda found: _with_escapes(found[0]), text)
    try:
        return LooseValue(read_json(readable), is_repaired=False)
    except JSONFault:
        pass
    repaired = _STRING_OR_COMMA.sub(lambda found: "" if found[0] == "," else found[0], readable)
    if repaired == readable:
        return None
    try:
        return LooseValue(read_json(repaired), is_repaired=True)
    except JSONFault:
        return None


def _with_escapes(token: str) -> str:
    """A string with its control characters written as JSON wants them, which changes nothing of what it says."""
    return _ESCAPE_OR_CONTROL.sub(lambda found: found[0] if len(found[0]) > 1 else f"\\u{ord(found[0]):04x}", token)
