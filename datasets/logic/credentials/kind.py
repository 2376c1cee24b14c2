"""Kind: one sort of credential that is known by its shape, and Find: one place where a credential stands."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple


class Find(NamedTuple):
    """Characters `start` up to `end` of a text are a credential of that kind."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True)
class Kind:
    """A sort of credential recognised by its shape.

    `name` stands in the marker. Every such credential contains `literal`, so a text without it is never searched;
    `gate`, when given, is a rarer character asked first. `pattern` finds it; a group called `secret` narrows what is
    hidden. `documented` says where the shape is described.
    """

    name: str
    literal: str
    pattern: str
    documented: str
    gate: str = ""
    compiled: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "compiled", re.compile(self.pattern))
