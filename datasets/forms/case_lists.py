"""One list of a case (turns, expected calls, checks) as rows: read from what was sent, with each row's problems."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from core.errors import Problem
from datasets.forms.case_rows import (
    Row,
    Sent,
    call_row,
    check_row,
    read_call,
    read_check,
    read_turn,
    sent_rows,
    turn_row,
)
from datasets.forms.check_fields import ASKED, FIELDS_OF, TYPES

KINDS: dict[str, tuple[Callable[[str, Any], Row], Callable[[Row], Any], dict[str, str]]] = {
    "history": (turn_row, read_turn, {"role": "user"}),
    "expected_tool_calls": (call_row, read_call, {}),
    "checks": (check_row, read_check, {"type": next(iter(TYPES))}),
}


ROW_LABELS = {
    "history": pgettext_lazy("in an earlier conversation", "Turn"),
    "expected_tool_calls": pgettext_lazy("an expected one", "Call"),
    "checks": pgettext_lazy("rule about an answer", "Check"),
}


class RowList:
    """The rows of one list, whether they came from a case or from a request."""

    def __init__(self, name: str, rows: Iterable[Row]) -> None:
        self.name = name
        self.rows = list(rows)
        self._kept: list[Row] = []

    @classmethod
    def of(cls, name: str, values: Iterable[Any]) -> "RowList":
        row_of = KINDS[name][0]
        return cls(name, [row_of(f"{name}.{place}", value) for place, value in enumerate(values)])

    @classmethod
    def sent(cls, name: str, data: Sent) -> "RowList":
        return cls(name, sent_rows(data, name))

    def __iter__(self) -> Any:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def blank(self) -> Row:
        """The row that a script copies for a new one."""
        return Row(f"{self.name}.__row__", dict(KINDS[self.name][2]))

    @property
    def has_errors(self) -> bool:
        return any(row.has_errors for row in self.rows)

    @property
    def ends_with_user(self) -> bool:
        """Whether the last turn is the user's, which `input` is itself (DS-D23)."""
        return bool(self.rows) and self.rows[-1].values.get("role") == "user" and not self.rows[-1].is_blank("content")

    @property
    def asks_judge(self) -> bool:
        """Whether a check is a criterion for the judge."""
        return any(row.values.get("type") == "judge" for row in self.rows)

    def problems(self) -> Iterator[tuple[str, str, str]]:
        """Label, place and words of each problem, for the summary that links to them."""
        for number, row in enumerate(self.rows, start=1):
            place = f"{ROW_LABELS[self.name]} {number}"
            yield from _said(row, place)
            for count, argument in enumerate(row.arguments, start=1):
                values = {"call": place, "number": count}
                yield from _said(argument, _("%(call)s, argument %(number)d") % values)

    def read(self) -> list[Any]:
        """The values without blank rows; what cannot be read is said at its row."""
        read = KINDS[self.name][1]
        pairs = [(row, read(row)) for row in self.rows]
        self._kept = [row for row, value in pairs if value is not None]
        return [value for _row, value in pairs if value is not None]

    def show(self, problem: Problem) -> bool:
        """Say a problem such as `checks.0.value` at its row and field; False where no row has it."""
        place, _dot, rest = problem.field.partition(".")
        if not place.isdigit() or int(place) >= len(self._kept):
            return False
        row = self._kept[int(place)]
        if row.has_errors:
            return True  # what it says already is why the rest could not be read
        part, _dot, inside = rest.partition(".")
        argument = next((one for one in row.arguments if part == "args" and one.values.get("name") == inside), None)
        if row.is_raw:
            row.say("json", f"{rest}: {problem.message}" if rest else problem.message)
        elif argument:
            argument.say("value", problem.message)
        else:
            row.say(part, f"{inside}: {problem.message}" if inside else problem.message)
        return True


def _said(row: Row, name: str) -> Iterator[tuple[str, str, str]]:
    for part, all_said in row.errors.items():
        shown = FIELDS_OF.get(row.values.get("type", ""), ())
        label = next((str(ASKED[one].label) for one in shown if ASKED[one].parameter == part), "")
        place = f"id_{row.path}.{part}" if part else f"id_{row.path}"
        yield from ((f"{name}, {label}" if label else name, place, said) for said in all_said)
