"""JSON Schemas of draft 2020-12 made ready for many values; used only where they can be stopped (SC-65, SC-D29).

`format` and what describes contents are notes and rule nothing out, as the draft has it.
"""

import json
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from jsonschema_rs import Draft202012Validator, ValidationError
from jsonschema_rs import ValidationErrorKind as Kind

from core.json_schemas import DIALECT, PATTERNS
from core.json_values import deeper_than
from core.limits import LIMITS
from scoring.logic.schema_circles import has_circles, keywords_of

# Keywords whose value is one schema, so that a schema of `false` breaks the keyword itself.
OF_ONE_SCHEMA = ("additionalProperties", "items", "unevaluatedItems", "unevaluatedProperties", "propertyNames")
# Larger whole numbers are compared by nobody, and slow to compute with.
MOST_DIGITS = 400


class NotRead(Exception):
    """The text is no JSON; which fault it has is said by `json_answers`."""


class SchemaFault(Exception):
    """Why a schema is none, or none that is used here."""


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


class Broken(NamedTuple):
    """Where a value breaks its schema: the place in the value, the keyword, and what that asks."""

    place: str
    keyword: str
    asked: Any


class Schema:
    """A schema ready to use. Raises `SchemaFault` where it is none that is used here."""

    def __init__(self, schema: Any) -> None:
        if isinstance(schema, dict) and schema.get("$schema", DIALECT).removesuffix("#") != DIALECT:
            raise SchemaFault("only draft 2020-12 is known")
        for keyword in keywords_of(schema):
            if keyword in PATTERNS:
                raise SchemaFault(f"{keyword} is not used here")
        try:
            self._validator = Draft202012Validator(schema, validate_formats=False, retriever=_nothing)
        except (ValidationError, ValueError) as fault:
            raise SchemaFault(str(fault).partition("\n")[0]) from None
        self._schema = schema
        self._has_circles = has_circles(schema)

    def fault(self, value: Any) -> Broken | None:
        """The first place where the value breaks the schema; None where it is valid.

        Raises `RecursionError` where the schema leads to itself without going on in the value.
        """
        if self._has_circles:
            raise RecursionError
        try:
            error = None if self._validator.is_valid(value) else next(iter(self._validator.iter_errors(value)))
        except UnicodeEncodeError:  # half of a pair, which JSON can spell and Unicode does not have
            return self.fault(_without_halves(value))
        return None if error is None else self._broken(error)

    def _broken(self, error: ValidationError) -> Broken:
        way, kind, at = list(error.instance_path), error.kind, list(error.schema_path)
        keyword = str(at[-1]) if at else "schema"
        asked = _at(self._schema, at)
        if isinstance(kind, Kind.FalseSchema):
            keyword, asked = keyword if keyword in OF_ONE_SCHEMA else "schema", False
        elif isinstance(kind, Kind.Required) and keyword == "required":
            asked = [kind.property]
        elif isinstance(kind, Kind.AdditionalProperties | Kind.UnevaluatedProperties):
            way.append(kind.value[0])
        return Broken(".".join(map(str, way)), keyword, asked)


def _nothing(address: str) -> Any:
    raise ValueError(f"{address} points out of the schema, and nothing is ever fetched")


def _at(schema: Any, way: Sequence[str | int]) -> Any:
    """What stands there; of a part that a schema of its own name holds, only that it is there is told."""
    try:
        for step in way:
            schema = schema[step]
    except (LookupError, TypeError):
        return "…"
    return schema


def _without_halves(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list):
        return [_without_halves(item) for item in value]
    if isinstance(value, dict):
        return {_without_halves(key): _without_halves(item) for key, item in value.items()}
    return value
