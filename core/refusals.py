"""Problems that plain rules found, as the domain error that console and API know."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from core.errors import Invalid
from core.errors import Problem as SaidProblem
from core.json_faults import FaultWords
from core.json_words import words_of
from core.problems import Problem, Word


def refusal(problems: Iterable[Problem], message: str = "") -> Invalid:
    """The error with every problem in the language of the person."""
    return Invalid([said(problem) for problem in problems], message)


def said(problem: Problem) -> SaidProblem:
    """One problem in the person's language; the line is named where it is another number than the row (DS-D42)."""
    message = _(problem.text) % {name: _value(value) for name, value in problem.values.items()}
    if problem.row is not None and problem.line not in (None, problem.row):
        message = _("%(message)s (Line %(line)d of the file.)") % {"message": message, "line": problem.line}
    return SaidProblem(problem.field, message, problem.row)


def _value(value: Any) -> Any:
    if isinstance(value, FaultWords):
        return words_of(value.fault, with_line=value.with_line)
    return _(value) if isinstance(value, Word) else value
