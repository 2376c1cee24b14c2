"""JSON Schemas of draft 2020-12 made ready for many values; used only where they can be stopped (SC-65, SC-D29).

A schema becomes a tree of nodes. Each holds, for every type that a value of JSON can have, the few tests that concern
it: what a type rules out is known before any value comes. That is some ten times quicker than a library that reads the
schema anew for every value. `format` and what describes contents are notes and rule nothing out, as the draft has it.
"""

import json
from typing import Any, NoReturn

from core.json_values import deeper_than
from core.limits import LIMITS
from scoring.logic.schema_keywords import tests_of
from scoring.logic.schema_nodes import Broken, Nodes
from scoring.logic.schema_places import SchemaFault

__all__ = ["Broken", "NotRead", "Schema", "SchemaFault", "TooLarge", "read_value"]

# Larger whole numbers are compared by nobody, and slow to compute with.
MOST_DIGITS = 400


class NotRead(Exception):
    """The text is no JSON; which fault it has is said by `json_answers`."""


class TooLarge(Exception):
    """The value has a number beyond what is computed with."""


def read_value(text: str) -> Any:
    """The value of an answer that is one JSON text, by the rules of `json_answers.read_answer` (SC-D25).

    Raises `NotRead`, `TooLarge`, and `RecursionError` for nesting that is too deep.
    """
    try:
        value = _DECODER.decode(text.strip())
    except json.JSONDecodeError:
        raise NotRead from None
    if text.count("[") + text.count("{") > LIMITS.answer_json_depth and deeper_than(value, LIMITS.answer_json_depth):
        raise RecursionError
    return value


def _int(literal: str) -> int:
    if len(literal) > MOST_DIGITS:
        raise TooLarge
    return int(literal)


def _float(literal: str) -> float:
    number = float(literal)
    if number - number != 0:  # only an infinity differs from itself
        raise TooLarge
    return number


def _constant(_name: str) -> NoReturn:
    raise NotRead


_DECODER = json.JSONDecoder(parse_int=_int, parse_float=_float, parse_constant=_constant)


class Schema:
    """A schema ready to use. Raises `SchemaFault` where it is none that is used here."""

    def __init__(self, schema: Any) -> None:
        nodes = Nodes(schema, tests_of)
        self._scope = (nodes.places.root.base,)
        self._root = nodes.of(nodes.places.root)

    def fault(self, value: Any) -> Broken | None:
        """The first place where the value breaks the schema; None where it is valid."""
        return self._root.fault(value, self._scope)
