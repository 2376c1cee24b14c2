"""JSON Schemas: what they must not say, so that nothing is fetched and nothing runs without end (SC-D29)."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from core.json_values import json_problems
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import wrong_type

DIALECT = "https://json-schema.org/draft/2020-12/schema"
# Keywords whose value is a map of names to schemas, and those whose value is data and no schema.
MAPS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
DATA = ("const", "enum", "default", "examples", "required", "dependentRequired", "type")
REFERENCES = ("$ref", "$dynamicRef")
PATTERNS = ("pattern", "patternProperties")


def schema_problems(schema: Any, *, patterns: bool = False) -> list[Problem]:
    """Everything the schema must not say, with the place of each; whether it is a schema at all is asked elsewhere.

    `patterns` lets it hold regular expressions: only where Casebook never runs the schema on anything.
    """
    if not isinstance(schema, dict | bool):
        return [wrong_type(gettext_noop("A schema is an object or true or false, not %(type)s."), schema)]
    problems = json_problems(schema, LIMITS.schema_characters)
    if problems or isinstance(schema, bool):
        return problems
    walk = _Walk(schema, patterns)
    return [problem for place, part in walk.parts() for problem in _under(place, walk.problems_of(part))]


class _Walk:
    """Visits every part of a schema once. Where references lead is queued and not entered, since chains can be long."""

    def __init__(self, root: dict[str, Any], patterns: bool) -> None:
        self.root = root
        self.patterns = patterns
        self.queue: list[tuple[str, Any]] = [("", root)]
        self.seen: set[int] = set()

    def parts(self) -> Iterator[tuple[str, Any]]:
        while self.queue:
            yield self.queue.pop()

    def problems_of(self, schema: Any) -> Iterator[Problem]:
        if isinstance(schema, list):
            for place, item in enumerate(schema):
                yield from _under(place, self.problems_of(item))
        if not isinstance(schema, dict) or id(schema) in self.seen:
            return
        self.seen.add(id(schema))
        yield from _keywords(schema, self.patterns)
        for keyword, value in schema.items():
            if keyword in REFERENCES:
                yield from self._reference(keyword, value)
            elif keyword in MAPS and isinstance(value, dict):
                for name, inner in value.items():
                    yield from _under(f"{keyword}.{name}", self.problems_of(inner))
            elif keyword not in DATA:
                yield from _under(keyword, self.problems_of(value))

    def _reference(self, keyword: str, value: Any) -> Iterator[Problem]:
        if not isinstance(value, str) or not value.startswith("#"):
            text = gettext_noop("A reference points inside the schema: it begins with #. Nothing is ever fetched.")
            yield Problem(keyword, text)
            return
        found, target = target_of(value, self.root)
        if not found:
            yield Problem(keyword, gettext_noop("The schema has nothing at %(place)s."), {"place": value})
            return
        # A reference may lead where no keyword leads, into an example for instance; what is there is a schema then.
        self.queue.append((value, target))


def _keywords(schema: dict[str, Any], patterns: bool) -> Iterator[Problem]:
    for keyword in () if patterns else PATTERNS:
        if keyword in schema:
            text = gettext_noop("A schema must not use %(keyword)s; a regex check with a path does that.")
            yield Problem(keyword, text, {"keyword": keyword})
    if "$id" in schema:
        yield Problem("$id", gettext_noop("A schema must not name itself; leave $id out."))
    if schema.get("$schema", DIALECT) != DIALECT:
        yield Problem(
            "$schema", gettext_noop("Only JSON Schema draft 2020-12 is known: %(address)s."), {"address": DIALECT}
        )


def target_of(reference: str, root: dict[str, Any]) -> tuple[bool, Any]:
    """Whether the schema has something at a reference that begins with `#`, and what."""
    fragment = unquote(reference[1:])
    if fragment and not fragment.startswith("/"):
        return _anchor(fragment, root)
    target: Any = root
    for step in fragment.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(target, dict) and key in target:
            target = target[key]
        elif isinstance(target, list) and key.isascii() and key.isdigit() and int(key) < len(target):
            target = target[int(key)]
        else:
            return False, None
    return isinstance(target, dict | bool), target


def _anchor(name: str, value: Any) -> tuple[bool, Any]:
    if isinstance(value, dict):
        if name in (value.get("$anchor"), value.get("$dynamicAnchor")):
            return True, value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        found = _anchor(name, inner)
        if found[0]:
            return found
    return False, None


def _under(place: str | int, problems: Iterator[Problem]) -> Iterator[Problem]:
    return (problem.under(place) for problem in problems)
