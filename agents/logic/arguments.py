"""Arguments of a tool call: reading what a model wrote, and holding it against the tool's schema (PL-22)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend
from referencing import Registry

from core.strict_json import JSONFault, read_json
from core.texts import UNSTORABLE

REPLACEMENT = "\ufffd"
FAULTS_TOLD = 5
FAULT_CHARACTERS = 300
# Keywords looked at for one call. Schemas of tools take some dozens; one that doubles at every level would take years.
MOST_WORK = 20_000
# Keywords whose value maps names to schemas, those whose value is data, and those that only patterns give a meaning.
MAPS = ("properties", "$defs", "definitions", "dependentSchemas")
DATA = ("const", "enum", "default", "examples", "required", "dependentRequired")
OF_PATTERNS = ("patternProperties", "additionalProperties", "unevaluatedProperties")


class TooMuchWork(Exception):
    """The schema asks for more steps than any real one."""


def storable(text: str) -> str:
    """The text with what no database and no UTF-8 holds replaced: NUL and halves of pairs.

    Two halves that came in two pieces are one character again.
    """
    if not UNSTORABLE.search(text):
        return text
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return joined.replace("\x00", REPLACEMENT)


def read_arguments(sent: Any) -> tuple[Any, str]:
    """The arguments of a call: an object and no fault, or the text as it was sent and what is wrong with it."""
    text = sent if isinstance(sent, str) else ""
    try:
        value = read_json(text or "{}")
    except JSONFault as fault:
        return storable(text), str(fault)
    if isinstance(value, dict):
        return value, ""
    return storable(text), "the arguments must be one JSON object"


def argument_faults(schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> list[str]:
    """What is wrong with the arguments by the schema, the first few, each with its place; [] where nothing is.

    No pattern is run, since some take years, and nothing is fetched. Raises `TooMuchWork`.
    """
    counted = _counting()
    validator = counted(_without_patterns(schema), registry=Registry())
    try:
        faults = sorted(validator.iter_errors(arguments), key=lambda fault: list(map(str, fault.absolute_path)))
    except RecursionError:
        raise TooMuchWork from None
    return [_words(fault) for fault in faults[:FAULTS_TOLD]]


def _words(fault: ValidationError) -> str:
    place = ".".join(map(str, fault.absolute_path))
    return f"{place}: {fault.message}"[:FAULT_CHARACTERS] if place else fault.message[:FAULT_CHARACTERS]


def _counting() -> Any:
    """A validator of draft 2020-12 that stops after so many keywords."""
    left = MOST_WORK

    def counted(check: Callable[..., Iterator[ValidationError] | None]) -> Callable[..., Any]:
        def run(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
            nonlocal left
            left -= 1
            if left < 0:
                raise TooMuchWork
            return check(validator, value, instance, schema)

        return run

    return extend(
        Draft202012Validator, {name: counted(check) for name, check in Draft202012Validator.VALIDATORS.items()}
    )


def _without_patterns(schema: Any) -> Any:
    """The schema without regular expressions, and without what they would decide about."""
    if isinstance(schema, list):
        return [_without_patterns(inner) for inner in schema]
    if not isinstance(schema, Mapping):
        return schema
    dropped = {"pattern", *(OF_PATTERNS if "patternProperties" in schema else ())}
    return {name: _inner(name, value) for name, value in schema.items() if name not in dropped}


def _inner(name: str, value: Any) -> Any:
    if name in DATA:
        return value
    if name in MAPS and isinstance(value, Mapping):
        return {key: _without_patterns(inner) for key, inner in value.items()}
    return _without_patterns(value)
