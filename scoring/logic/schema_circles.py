"""What a JSON Schema says at any depth: its keywords, and whether it leads back to itself on the same value."""

from collections.abc import Iterator
from typing import Any

from core.json_schemas import DATA, MAPS, target_of

# The keywords whose schemas apply to the very value that the schema itself applies to.
ONE = ("not", "if", "then", "else")
SEVERAL = ("allOf", "anyOf", "oneOf")


def keywords_of(schema: Any) -> Iterator[str]:
    """Every keyword at any depth, as often as it is there."""
    if isinstance(schema, list):
        for item in schema:
            yield from keywords_of(item)
    if not isinstance(schema, dict):
        return
    for keyword, value in schema.items():
        yield keyword
        if keyword in MAPS and isinstance(value, dict):
            for inner in value.values():
                yield from keywords_of(inner)
        elif keyword not in DATA:
            yield from keywords_of(value)


def has_circles(root: Any) -> bool:
    """Whether a schema that is applied leads back to itself on the same value, which no validation can follow."""
    circles = _Circles(root)
    return any(circles.leads_back(schema) for schema in circles.schemas())


class _Circles:
    """Follows each schema once; those that are being followed are on the way."""

    def __init__(self, root: Any) -> None:
        self._root = root
        self._further: list[Any] = [root]
        self._on_the_way: set[int] = set()
        self._done: set[int] = set()

    def schemas(self) -> Iterator[Any]:
        """The root, and what was met inside that applies to other values."""
        while self._further:
            yield self._further.pop()

    def leads_back(self, schema: Any) -> bool:
        if not isinstance(schema, dict) or id(schema) in self._done:
            return False
        if id(schema) in self._on_the_way:
            return True
        self._on_the_way.add(id(schema))
        found = any(self.leads_back(inner) for inner in self._on_the_same_value(schema))
        self._on_the_way.discard(id(schema))
        self._done.add(id(schema))
        self._further += _further_in(schema)
        return found

    def _on_the_same_value(self, schema: dict[str, Any]) -> Iterator[Any]:
        reference = schema.get("$ref")
        if isinstance(reference, str) and reference.startswith("#"):
            yield target_of(reference, self._root)[1]
        for keyword in ONE:
            yield schema.get(keyword)
        for keyword in SEVERAL:
            yield from schema.get(keyword, ())
        yield from schema.get("dependentSchemas", {}).values()


def _further_in(schema: dict[str, Any]) -> Iterator[Any]:
    """The schemas of items and properties, which apply to other values."""
    for keyword, value in schema.items():
        if keyword in (*ONE, *SEVERAL, "dependentSchemas") or keyword in DATA:
            continue
        if isinstance(value, dict):
            yield from value.values() if keyword in MAPS else [value]
        elif isinstance(value, list):
            yield from value
