"""Reading a case from outside: the one table of fields that form, API and import share (DS-D20, DS-D44)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from core.problems import Problem, gettext_noop
from core.reading_child import ReadingChild
from core.texts import Found
from datasets.logic.checks import read_checks
from datasets.logic.conversations import read_history, read_tool_calls
from datasets.logic.credentials import hide_in
from datasets.logic.drafts import FIELDS, ORDER_MODES, CaseDraft
from datasets.logic.tags import read_tags
from datasets.logic.texts import read_answer, read_input, read_note

NO_EXPECTATION = Problem(
    "reference_answer",
    gettext_noop(
        "A case needs something to compare an answer with: a reference answer, a counter-example, an expected tool "
        "call or a check."
    ),
)

KNOWN_ARE = gettext_noop("There is no field of this name; known are %(known)s.")


def read_case(raw: Mapping[str, Any], child: ReadingChild) -> tuple[CaseDraft | None, list[Problem]]:
    """A whole case, or every problem it has; what is left out takes its empty value (DS-132)."""
    values, problems = read_fields({"input": None, **raw}, child)
    if problems:
        return None, problems
    draft = CaseDraft(**values)
    return (draft, []) if draft.expectations else (None, [NO_EXPECTATION])


def read_fields(raw: Mapping[str, Any], child: ReadingChild) -> tuple[dict[str, Any], list[Problem]]:
    """The given fields as a draft holds them, and every problem they have; an unknown name is one.

    Credentials are hidden first, in every string at any depth, so that what is validated is what is stored (DS-179 to
    DS-182, DS-D63); where some were, `hidden` counts them.
    """
    clean = hide_in(dict(raw))
    values: dict[str, Any] = {"hidden": clean.total} if clean.total else {}
    problems: list[Problem] = []
    for name, value in clean.value.items():
        if name not in FIELDS:
            problems.append(unknown_field(name))
            continue
        values[name], wrong = _read(name, value, child)
        problems += [problem.under(name) for problem in wrong]
    return values, problems


def unknown_field(name: str, known: tuple[str, ...] = FIELDS) -> Problem:
    """The refusal of a name that is none of the known ones, with the one that was probably meant."""
    near = get_close_matches(name.strip().lower().replace(" ", "_"), known, n=1, cutoff=0.7)
    if near:
        text = gettext_noop("There is no field of this name. Did you mean %(near)s?")
        return Problem(name, text, {"near": near[0]})
    return Problem(name, KNOWN_ARE, {"known": ", ".join(known)})


def named_once(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The problems of a file: what is known is said of the first unknown name, and not again of the others."""
    first = None
    for problem in problems:
        if problem.text == KNOWN_ARE:
            first = problem.field if first is None else first
            if problem.field != first:
                problem = replace(problem, text=gettext_noop("There is no field of this name."), values={})
        yield problem


def _read(name: str, value: Any, child: ReadingChild) -> Found:
    return read_checks(value, child) if name == "checks" else _READERS[name](value)


def _read_order_mode(value: Any) -> Found:
    if value is None or (isinstance(value, str) and not value.strip()):
        return "any", []
    if value not in ORDER_MODES:
        return "any", [Problem("", gettext_noop("This is any, in_order or exact."))]
    return value, []


_READERS = {
    "input": read_input,
    "history": read_history,
    "reference_answer": read_answer,
    "counter_example": read_answer,
    "expected_tool_calls": read_tool_calls,
    "order_mode": _read_order_mode,
    "tags": read_tags,
    "note": read_note,
}
