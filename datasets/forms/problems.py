"""Putting the problems of a domain error beside the fields of a form."""

from django import forms
from django.utils.translation import gettext as _

from core.errors import Invalid, Problem


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


def problem_rows(error: Invalid) -> list[Problem]:
    """The problems of a file in the order of its rows, those of the whole file first."""
    return sorted(error.problems, key=lambda problem: problem.row or 0)
