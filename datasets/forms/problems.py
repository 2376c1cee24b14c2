"""Putting the problems of a domain error beside the fields of a form."""

from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext as _

from core.errors import Invalid

MOST_STRETCHES = 8


def show_problems(form: forms.Form, error: Invalid) -> None:
    """Each problem at its field, with the place inside the field; what belongs to no field stands above all."""
    for problem in error.problems:
        name, _dot, place = problem.field.partition(".")
        if name in form.fields:
            form.add_error(name, f"{_place(place)}: {problem.message}" if place else problem.message)
        else:
            form.add_error(None, problem.message)


def _place(path: str) -> str:
    """`0.type` as people count: "item 1, type"."""
    first, _dot, rest = path.partition(".")
    if not first.isdigit():
        return path
    item = _("item %(number)d") % {"number": int(first) + 1}
    return f"{item}, {rest}" if rest else item


@dataclass(frozen=True)
class ProblemLine:
    """What is wrong with a field, once for all rows that have it; `row` names them, None for the whole file."""

    row: str | None
    field: str
    message: str


def problem_rows(error: Invalid) -> list[ProblemLine]:
    """The problems of a file in the order of its rows, those of the whole file first."""
    rows: dict[tuple[str, str], list[int]] = {}
    for problem in sorted(error.problems, key=lambda problem: problem.row or 0):
        rows.setdefault((problem.field, problem.message), []).append(problem.row or 0)
    return [ProblemLine(_rows(numbers), field, message) for (field, message), numbers in rows.items()]


def _rows(numbers: list[int]) -> str | None:
    """Such as `1–5, 8`, of many the first ones and how many follow."""
    if not any(numbers):
        return None
    stretches: list[list[int]] = []
    for number in dict.fromkeys(numbers):
        if stretches and number == stretches[-1][1] + 1:
            stretches[-1][1] = number
        else:
            stretches.append([number, number])
    shown = ", ".join(f"{first}" if first == last else f"{first}–{last}" for first, last in stretches[:MOST_STRETCHES])
    more = sum(last - first + 1 for first, last in stretches[MOST_STRETCHES:])
    return _("%(rows)s and %(count)d more") % {"rows": shown, "count": more} if more else shown
