"""CaseDraft: the nine fields of a case, valid and in the one form in which they are stored, compared and exported."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

# The order of columns and keys in exports and in answers of the API (DS-D49).
FIELDS = (
    "input",
    "history",
    "reference_answer",
    "counter_example",
    "expected_tool_calls",
    "order_mode",
    "checks",
    "tags",
    "note",
)
EXPECTATIONS = ("reference_answer", "counter_example", "expected_tool_calls", "checks")
ORDER_MODES = ("any", "in_order", "exact")

Json = dict[str, Any]


@dataclass(frozen=True)
class CaseDraft:
    """What a case says. Texts without a value are None, lists without one are empty (DS-D22).

    `hidden` counts the credentials that were hidden when it was read (DS-183); it is no part of what the case says.
    """

    input: str
    history: tuple[Json, ...] = ()
    reference_answer: str | None = None
    counter_example: str | None = None
    expected_tool_calls: tuple[Json, ...] = ()
    order_mode: str = "any"
    checks: tuple[Json, ...] = ()
    tags: tuple[str, ...] = ()
    note: str | None = None
    hidden: int = field(default=0, compare=False)

    @property
    def expectations(self) -> tuple[str, ...]:
        """Which of the four things an answer can be compared with are there (DS-46)."""
        return tuple(name for name in EXPECTATIONS if getattr(self, name))

    def with_changes(self, changes: Mapping[str, Any]) -> "CaseDraft":
        """The same case with some fields replaced by valid values."""
        return replace(self, **changes)

    def as_dict(self) -> Json:
        """The nine fields in their order, lists as lists: the shape of an import and of the API."""
        return {name: _listed(getattr(self, name)) for name in FIELDS}


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
