"""FileFields: what the columns of a CSV file and the keys of a JSONL line may be, for each kind of file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import shorten
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


# What people call the column of the questions, in the languages of the console.
QUESTIONS = ("question", "prompt", "query", "utterance", "user_input", "user_message", "pregunta", "pytanie", "frage")
HEADER_CHARACTERS = 120


def found_in(names: Sequence[str]) -> str:
    """The names of a header, as far as a refusal repeats them."""
    return shorten(", ".join(name for name in names if name), HEADER_CHARACTERS)


def like_a_question(names: Sequence[str]) -> str:
    """The column of a header that probably holds the questions, or nothing."""
    folded = {name.strip().lower().replace(" ", "_").replace("-", "_"): name for name in reversed(names)}
    exact = next((folded[word] for word in QUESTIONS if word in folded), "")
    return exact or next((name for key, name in folded.items() if any(word in key for word in QUESTIONS)), "")


def _without_question(names: Sequence[str]) -> Iterator[Problem]:
    if "input" in names:
        return
    values = {"found": found_in(names), "column": like_a_question(names)}
    if values["column"]:
        text = gettext_noop(
            "The header has no column input, which every case needs. It has: %(found)s. If %(column)s holds the "
            "questions, call it input."
        )
    else:
        text = gettext_noop("The header has no column input, which every case needs. It has: %(found)s.")
    yield Problem("input", text, values)


CASE_FILE = FileFields(
    known=FIELDS,
    json=("history", "expected_tool_calls", "checks"),
    missing=_without_question,
    no_object=gettext_noop("A line is one object with the fields of a case, not %(type)s."),
    cells={"tags": split_cell},
)
