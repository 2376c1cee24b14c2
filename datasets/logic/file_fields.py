"""FileFields: what the columns of a CSV file and the keys of a JSONL line may be, for each kind of file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.problems import Problem, gettext_noop
from datasets.logic.drafts import FIELDS
from datasets.logic.tags import split_cell


@dataclass(frozen=True)
class FileFields:
    """`known` are the names. Cells of those in `json` hold JSON, and those in `cells` are read by their function.

    `missing` says what the header of a CSV file lacks; `no_object` refuses a line that is no object, with its type.
    """

    known: tuple[str, ...]
    json: tuple[str, ...]
    missing: Callable[[Sequence[str]], Iterator[Problem]]
    no_object: str
    cells: Mapping[str, Callable[[str], Any]] = field(default_factory=dict)


def _without_question(names: Sequence[str]) -> Iterator[Problem]:
    if "input" not in names:
        yield Problem("input", gettext_noop("The header has no column input, which every case needs."))


CASE_FILE = FileFields(
    known=FIELDS,
    json=("history", "expected_tool_calls", "checks"),
    missing=_without_question,
    no_object=gettext_noop("A line is one object with the fields of a case, not %(type)s."),
    cells={"tags": split_cell},
)
