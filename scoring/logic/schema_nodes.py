"""The nodes that a JSON Schema is made into, and where a value breaks one of them."""

from collections.abc import Callable, Mapping
from typing import Any

from scoring.logic.schema_places import Part, Places

# What a value read from JSON can be.
TYPES = (dict, list, str, int, float, bool, type(None))

# The resources that were entered on the way to a schema, outermost first.
Scope = tuple[str, ...]


class Broken:
    """Where a value breaks its schema: the keyword, what it asks, and the way to the place, innermost first."""

    __slots__ = ("asked", "keyword", "way")

    def __init__(self, keyword: str, asked: Any) -> None:
        self.keyword = keyword
        self.asked = asked
        self.way: list[str | int] = []

    def under(self, step: str | int) -> "Broken":
        """The same, seen from one level further out."""
        self.way.append(step)
        return self

    @property
    def place(self) -> str:
        return ".".join(str(step) for step in reversed(self.way))


Test = Callable[[Any, Scope], Broken | None]


class Node:
    """One schema inside the schema: for each type of value the tests that concern it."""

    __slots__ = ("part", "tests")

    def __init__(self, part: Part) -> None:
        self.part = part
        self.tests: dict[type, tuple[Test, ...]] = dict.fromkeys(TYPES, ())

    def fault(self, value: Any, scope: Scope) -> Broken | None:
        """The first that the value breaks; None where it is valid."""
        for test in self.tests[type(value)]:
            broken = test(value, scope)
            if broken is not None:
                return broken
        return None


class NodeOfResource(Node):
    """The same in a schema where references depend on the resources entered on the way."""

    __slots__ = ()

    def fault(self, value: Any, scope: Scope) -> Broken | None:
        scope = enter(self.part.base, scope)
        for test in self.tests[type(value)]:
            broken = test(value, scope)
            if broken is not None:
                return broken
        return None


def enter(base: str, scope: Scope) -> Scope:
    """The resources entered, with this one."""
    return scope if scope[-1] == base else (*scope, base)


class Nodes:
    """Makes the nodes of one schema, each once, also where it refers to itself."""

    def __init__(self, root: Any, tests_of: "Callable[[Part, Nodes], Mapping[type, tuple[Test, ...]]]") -> None:
        self.places = Places(root)
        self._tests_of = tests_of
        self._kind = NodeOfResource if self.places.are_dynamic else Node
        self._made: dict[tuple[int, str], Node] = {}

    def inside(self, schema: Any, base: str) -> Node:
        """The node of a schema that stands inside one with this base. Raises `SchemaFault`."""
        return self.of(self.places.part(schema, base))

    def of(self, part: Part) -> Node:
        """The node of a part. Raises `SchemaFault`."""
        key = (id(part.schema), part.base)
        if key not in self._made:
            node = self._made[key] = self._kind(part)
            node.tests.update(self._tests_of(part, self))
        return self._made[key]
