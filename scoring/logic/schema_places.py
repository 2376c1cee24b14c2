"""Where the parts of a JSON Schema are: identifiers, anchors, and what a reference leads to (draft 2020-12, chapter 8).

Nothing is ever fetched: a reference that leads out of the schema is a fault.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote, urldefrag, urljoin

MAPS = ("properties", "$defs", "definitions", "dependentSchemas")
LISTS = ("allOf", "anyOf", "oneOf", "prefixItems")
SINGLES = (
    "items",
    "contains",
    "additionalProperties",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
)


class SchemaFault(Exception):
    """The schema cannot be used; the message says why."""


class Part(NamedTuple):
    """A schema inside the schema, and the address of the resource that it belongs to (empty without an `$id`)."""

    schema: Any
    base: str


class Places:
    """The parts of one schema by their addresses."""

    def __init__(self, root: Any) -> None:
        self._resources: dict[str, Any] = {"": root}
        self._anchors: dict[tuple[str, str], Any] = {}
        self._dynamic: dict[tuple[str, str], Any] = {}
        self.root = Part(root, _base_of(root, ""))
        waiting = [Part(root, "")]
        while waiting:
            part = waiting.pop()
            if isinstance(part.schema, dict):
                base = self._record(part.schema, part.base)
                waiting += [Part(inner, base) for inner in subschemas(part.schema)]

    @property
    def are_dynamic(self) -> bool:
        """Whether a reference may lead to different places, which depends on the way to it."""
        return bool(self._dynamic)

    @staticmethod
    def part(schema: Any, base: str) -> Part:
        """The part that a schema makes which stands where the base is this one."""
        return Part(schema, _base_of(schema, base))

    def target(self, reference: str, base: str) -> Part:
        """What the reference leads to from a part with this base. Raises `SchemaFault`."""
        address, fragment = urldefrag(_joined(base, reference))
        resource = self._resources.get(address)
        if resource is None:
            raise SchemaFault(f"{reference} points out of the schema, and nothing is ever fetched")
        fragment = unquote(fragment)
        if not fragment or fragment.startswith("/"):
            return _at_pointer(Part(resource, address), fragment, reference)
        if (address, fragment) not in self._anchors:
            raise SchemaFault(f"the schema has nothing at {reference}")
        return Part(self._anchors[address, fragment], address)

    def dynamic_name(self, reference: str, base: str) -> str | None:
        """The name of the dynamic anchor that the reference leads to, or None where it leads to something else."""
        address, fragment = urldefrag(_joined(base, reference))
        return fragment if (address, fragment) in self._dynamic else None

    def dynamic_target(self, name: str, scope: tuple[str, ...]) -> Part | None:
        """The outermost resource of those entered that has a dynamic anchor of this name."""
        for address in scope:
            if (address, name) in self._dynamic:
                return Part(self._dynamic[address, name], address)
        return None

    def _record(self, schema: dict[str, Any], base: str) -> str:
        base = _base_of(schema, base)
        if isinstance(schema.get("$id"), str):
            self._resources[base] = schema
        for keyword, places in (("$anchor", (self._anchors,)), ("$dynamicAnchor", (self._anchors, self._dynamic))):
            if isinstance(name := schema.get(keyword), str):
                for place in places:
                    place[base, name] = schema
        return base


def subschemas(schema: dict[str, Any]) -> Iterator[Any]:
    """Every schema directly inside this one."""
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, dict):
            yield from value.values()
        elif keyword in LISTS and isinstance(value, list):
            yield from value
        elif keyword in SINGLES:
            yield value


def _base_of(schema: Any, base: str) -> str:
    identifier = schema.get("$id") if isinstance(schema, dict) else None
    return urldefrag(_joined(base, identifier))[0] if isinstance(identifier, str) else base


def _joined(base: str, reference: str) -> str:
    # `urljoin` knows no relative references of names such as urn:uuid:….
    return base + reference if reference.startswith("#") else urljoin(base, reference)


def _at_pointer(part: Part, pointer: str, reference: str) -> Part:
    value, base = part
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.isascii() and key.isdigit() and int(key) < len(value):
            value = value[int(key)]
        else:
            raise SchemaFault(f"the schema has nothing at {reference}")
        base = _base_of(value, base)
    if not isinstance(value, dict | bool):
        raise SchemaFault(f"what stands at {reference} is no schema")
    return Part(value, base)
