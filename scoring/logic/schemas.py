"""JSON Schemas of draft 2020-12 on values of answers; runs only where it can be stopped (SC-65, SC-D29)."""

import json
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from referencing import Registry
from referencing.exceptions import Unresolvable


class TooDeep(Exception):
    """The value or the schema nests deeper than can be followed."""


class TooLarge(Exception):
    """The value has a number beyond what is computed with."""


class SchemaFault(Exception):
    """The schema cannot be used; the message says why."""


class Broken(NamedTuple):
    """Where a value breaks its schema: the place in the value, the keyword, and what the keyword asks as JSON."""

    place: str
    keyword: str
    asked: str


# Larger whole numbers are compared by nobody, and slow to compute with.
MOST_DIGITS = 400


def read_value(text: str) -> Any:
    """The value of a JSON text that `json_answers` took; raises `TooLarge`."""
    return _DECODER.decode(text)


def _int(literal: str) -> int:
    if len(literal) > MOST_DIGITS:
        raise TooLarge
    return int(literal)


def _float(literal: str) -> float:
    number = float(literal)
    if number - number != 0:  # only an infinity differs from itself
        raise TooLarge
    return number


_DECODER = json.JSONDecoder(parse_int=_int, parse_float=_float)


class Schema:
    """A schema ready to use. No address is ever fetched: the registry is empty."""

    def __init__(self, schema: Any) -> None:
        self._validator = Draft202012Validator(schema, registry=Registry())

    def fault(self, value: Any) -> Broken | None:
        """The first place where the value breaks the schema; None where it is valid."""
        try:
            error = next(self._validator.iter_errors(value), None)
        except Unresolvable as unresolved:
            raise SchemaFault(str(unresolved)) from None
        if error is None:
            return None
        asked = json.dumps(error.validator_value, ensure_ascii=False)
        return Broken(".".join(map(str, error.absolute_path)), str(error.validator), asked)
