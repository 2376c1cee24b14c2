"""Reading answers that somebody brings along: what a row of a file or an entry of a request may hold.

Each names its case by `case_id`, or by the question itself as `input`; says `answer`; and may say which tools were
called, what the answer cost and how long it took.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from activity.logic.openai_messages import read_call
from activity.logic.sent_values import Wrong, read_money, read_number
from core.json_values import json_problems
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import read_list, text_problems, wrong_type
from datasets.logic.file_fields import FileFields
from datasets.logic.rows import Row
from datasets.logic.validation import unknown_field
from scoring.logic.answers import GradedAnswer, MadeCall

FIELDS = ("case_id", "input", "answer", "tool_calls", "cost_usd", "latency_ms")
OUTCOMES = ("ok", "failed", "blocked")
MOST_MILLISECONDS = 10**12
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
UUID_TEXT = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

NO_CASE = gettext_noop("Say which case this answers: by its case_id, or by its question as input.")
NO_ANSWER = gettext_noop('Give the answer as text; one without words is written as "".')


@dataclass(frozen=True)
class StoredAnswer:
    """One answer as it was sent. `place` is the row of its file, or its place in the request, from 0.

    It names its case by `case_id`, by `question`, or by both.
    """

    place: int
    case_id: UUID | None
    question: str
    answer: GradedAnswer


@dataclass(frozen=True)
class ReadAnswers:
    """All that could be read, and every problem, with the place of its row; `count` is how many rows there were.

    `wrong` are those that name a case and are wrong in something else.
    """

    answers: tuple[StoredAnswer, ...]
    problems: tuple[Problem, ...]
    count: int
    wrong: tuple[StoredAnswer, ...] = ()


def _missing(names: Sequence[str]) -> Iterator[Problem]:
    if "case_id" not in names and "input" not in names:
        text = gettext_noop("The header needs a column case_id, or a column input with the question of each case.")
        yield Problem("case_id", text)
    if "answer" not in names:
        yield Problem("answer", gettext_noop("The header has no column answer, which every row needs."))


def _number(cell: str) -> Any:
    """The number of a cell; what is none stays text and is refused as such."""
    text = cell.strip()
    if not text:
        return None
    return float(text) if NUMBER.fullmatch(text) else cell


ANSWER_FILE = FileFields(
    known=FIELDS,
    json=("tool_calls",),
    missing=_missing,
    no_object=gettext_noop("A line is one object with the fields of an answer, not %(type)s."),
    cells={"cost_usd": _number, "latency_ms": _number},
)


def read_answers(rows: Iterable[Row], *, most: int, blank: Mapping[str, Any] | None = None) -> ReadAnswers:
    """Read every row; `blank` are the values of cells that a short row of a CSV file leaves out.

    Beyond `most` rows the rest is only counted, since none of it can be graded.
    """
    answers: list[StoredAnswer] = []
    named: list[StoredAnswer] = []
    problems: list[Problem] = []
    count = 0
    for count, row in enumerate(rows, start=1):
        if count > most:
            continue
        found, wrong = read_answer(row.number, {**(blank or {}), **row.raw})
        wrong = [*row.problems, *(wrong if row.raw else [])]
        problems += [replace(problem, row=row.number, line=row.line) for problem in wrong]
        if not wrong:
            answers.append(found)
        elif row.raw and not any(problem.field in ("case_id", "input") for problem in wrong):
            named.append(found)
    return ReadAnswers(tuple(answers), tuple(problems), count, tuple(named))


def sent_rows(values: Sequence[Any]) -> Iterator[Row]:
    """The entries of a request as rows, numbered from 0."""
    for place, value in enumerate(values):
        if isinstance(value, dict):
            yield Row(place, place, value or {"answer": None})
        else:
            wrong = wrong_type(gettext_noop("An answer is an object with case_id and answer, not %(type)s."), value)
            yield Row(place, place, {}, (wrong,))


def read_answer(place: int, raw: Mapping[str, Any]) -> tuple[StoredAnswer, list[Problem]]:
    """One answer and every problem it has, an unknown name among them."""
    wrong: Wrong = [unknown_field(name, FIELDS) for name in raw if name not in FIELDS]
    case_id = _read_case_id(raw.get("case_id"), wrong)
    question = _read_text(raw.get("input"), "input", LIMITS.text_characters, wrong)
    if case_id is None and not question.strip() and not any(each.field in ("case_id", "input") for each in wrong):
        wrong.append(Problem("case_id", NO_CASE))
    if raw.get("answer") is None:
        wrong.append(Problem("answer", NO_ANSWER))
    text = _read_text(raw.get("answer"), "answer", LIMITS.message_characters, wrong)
    calls, strange = read_list(raw.get("tool_calls"), LIMITS.stored_answers_calls, read_made_call)
    wrong += [problem.under("tool_calls") for problem in strange]
    cost = read_money(raw.get("cost_usd"), name="cost_usd", wrong=wrong)
    milliseconds = read_number(raw.get("latency_ms"), MOST_MILLISECONDS, name="latency_ms", wrong=wrong)
    seconds = None if milliseconds is None else milliseconds / 1000
    answer = GradedAnswer(text, () if strange else calls, cost, seconds)
    return StoredAnswer(place, case_id, question, answer), wrong


def read_made_call(value: Any) -> tuple[MadeCall | None, list[Problem]]:
    """A call as we write it (`tool`, `args`), by other names (`name`, `arguments`), or as the OpenAI API has it.

    `outcome` may say ok, failed or blocked. Arguments that came as text are read as JSON where they are an object.
    """
    wrong: Wrong = []
    call = _in_one_shape(value) if isinstance(value, dict) else value
    found = read_call(call, wrong)
    outcome = value.get("outcome") if isinstance(value, dict) else None
    if outcome not in (None, *OUTCOMES):
        wrong.append(Problem("outcome", gettext_noop("The outcome is ok, failed or blocked.")))
    if not wrong:
        strange = json_problems([found["name"], found["arguments"]], LIMITS.answer_characters)
        wrong += [problem.under("arguments") for problem in strange]
    if wrong:
        return None, wrong
    return MadeCall(found["name"], found["arguments"], outcome or ""), []


def _in_one_shape(value: Mapping[str, Any]) -> dict[str, Any]:
    """The call by the names that the OpenAI API has."""
    call = dict(value)
    for ours, theirs in (("tool", "name"), ("args", "arguments")):
        if ours in call and theirs not in call:
            call[theirs] = call.pop(ours)
    return call


def _read_case_id(value: Any, wrong: Wrong) -> UUID | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if isinstance(value, str) and UUID_TEXT.fullmatch(value.strip()):
        return UUID(value.strip())
    wrong.append(Problem("case_id", gettext_noop("This is no id of a case.")))
    return None


def _read_text(value: Any, name: str, limit: int, wrong: Wrong) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        wrong.append(wrong_type(gettext_noop("This must be text, not %(type)s."), value).under(name))
        return ""
    wrong += [problem.under(name) for problem in text_problems(value, limit)]
    return value
