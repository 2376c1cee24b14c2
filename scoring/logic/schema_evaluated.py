"""Which items and properties of a valid value the keywords of a schema have looked at (draft 2020-12, chapter 11)."""

from collections.abc import Iterator
from typing import Any

from scoring.logic.schema_nodes import Nodes, Scope, enter
from scoring.logic.schema_places import Part


class Evaluated:
    """Reads a schema again for a value that passed it; only what `unevaluatedItems` and the like need, so seldom."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes

    def names(self, part: Part, value: dict[str, Any], scope: Scope, *, is_outermost: bool = False) -> set[str]:
        """The names that the part has looked at; outermost is the one whose `unevaluatedProperties` asks."""
        schema = part.schema
        if not isinstance(schema, dict):
            return set()
        if "additionalProperties" in schema or ("unevaluatedProperties" in schema and not is_outermost):
            return set(value)
        found = {name for name in schema.get("properties", ()) if name in value}
        for branch in self._branches(part, value, enter(part.base, scope)):
            found |= self.names(branch, value, enter(part.base, scope))
        return found

    def items(self, part: Part, value: list[Any], scope: Scope, *, is_outermost: bool = False) -> set[int]:
        """The places that the part has looked at."""
        schema = part.schema
        if not isinstance(schema, dict):
            return set()
        if "items" in schema or ("unevaluatedItems" in schema and not is_outermost):
            return set(range(len(value)))
        scope = enter(part.base, scope)
        found = set(range(min(len(schema.get("prefixItems", ())), len(value))))
        if "contains" in schema:
            node = self._nodes.inside(schema["contains"], part.base)
            found |= {place for place, item in enumerate(value) if node.fault(item, scope) is None}
        for branch in self._branches(part, value, scope):
            found |= self.items(branch, value, scope)
        return found

    def _branches(self, part: Part, value: Any, scope: Scope) -> Iterator[Part]:
        """The schemas that apply to the same value and that it passes."""
        schema, places = part.schema, self._nodes.places
        for keyword in ("$ref", "$dynamicRef"):
            if keyword in schema:
                name = places.dynamic_name(schema[keyword], part.base) if keyword == "$dynamicRef" else None
                dynamic = places.dynamic_target(name, scope) if name else None
                yield dynamic or places.target(schema[keyword], part.base)
        inside = [*schema.get("allOf", ()), *schema.get("anyOf", ()), *schema.get("oneOf", ())]
        if isinstance(value, dict):
            inside += [inner for name, inner in schema.get("dependentSchemas", {}).items() if name in value]
        if "if" in schema:
            holds = self._passes(places.part(schema["if"], part.base), value, scope)
            inside += [schema["if"], schema.get("then", True)] if holds else [schema.get("else", True)]
        for inner in inside:
            branch = places.part(inner, part.base)
            if self._passes(branch, value, scope):
                yield branch

    def _passes(self, part: Part, value: Any, scope: Scope) -> bool:
        return self._nodes.of(part).fault(value, scope) is None
