"""What a reader of files hands on: rows as raw fields, or the reason why the file cannot be read as a whole."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from core.problems import Problem, gettext_noop
from core.reading_child import ReadingChild
from datasets.logic.drafts import CaseDraft
from datasets.logic.validation import named_once, read_case, read_fields

NO_CASES = Problem("file", gettext_noop("The file has no cases."))


class Row(NamedTuple):
    """One row that is not blank: its number and first line (DS-D42), its raw fields, and what kept it unread."""

    number: int
    line: int
    raw: Mapping[str, Any]
    problems: tuple[Problem, ...] = ()


class UnreadableFile(Exception):
    """The file as a whole is refused: its encoding, its header, a quote that never closes."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__("; ".join(problem.text for problem in problems))


@dataclass(frozen=True)
class ReadRows:
    """All rows of a file: the cases, or every problem of every row; `count` is how many rows there were."""

    drafts: tuple[CaseDraft, ...]
    problems: tuple[Problem, ...]
    count: int


def read_rows(rows: Iterable[Row], *, most: int) -> ReadRows:
    """Check every row (DS-124). Beyond `most` rows the rest is only counted, since none of it can be stored.

    Raises `UnreadableFile`, also for a file without cases (DS-D43).
    """
    drafts: list[CaseDraft] = []
    problems: list[Problem] = []
    count = 0
    with ReadingChild() as child:
        for count, row in enumerate(rows, start=1):
            if count > most:
                continue
            draft, wrong = _read(row, child)
            problems += [replace(problem, row=row.number, line=row.line) for problem in wrong]
            if draft is not None and not problems:
                drafts.append(draft)
    if not count:
        raise UnreadableFile(NO_CASES)
    return ReadRows(tuple(drafts) if not problems else (), tuple(named_once(problems)), count)


def _read(row: Row, child: ReadingChild) -> tuple[CaseDraft | None, list[Problem]]:
    if not row.problems:
        return read_case(row.raw, child)
    _values, more = read_fields(row.raw, child)
    return None, [*row.problems, *more]
