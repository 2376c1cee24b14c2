"""Writing cases as CSV and as JSONL, so that they come back unchanged (DS-136 to DS-140, DS-D48, DS-D49)."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from datasets.logic.csv_reader import FORMULA, JSON_COLUMNS
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.logic.json_values import compact

TEMPLATE = CaseDraft(
    input="How long is the return window?",
    history=(
        {"role": "user", "content": "I bought a kettle last week."},
        {"role": "assistant", "content": "Thank you. What would you like to know about it?"},
    ),
    reference_answer="30 days from delivery",
    counter_example="14 days from delivery",
    expected_tool_calls=({"tool": "find_order", "args": {"product": "kettle"}},),
    order_mode="any",
    checks=({"type": "contains", "value": "30 days"},),
    tags=("returns",),
    note="The window was extended from 14 to 30 days.",
)

Writer = Callable[[Iterable[CaseDraft]], Iterator[str]]


def csv_lines(cases: Iterable[CaseDraft]) -> Iterator[str]:
    """The header and a row a case, each with its line end."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    yield _written(writer, buffer, list(FIELDS))
    for case in cases:
        yield _written(writer, buffer, [_cell(case, name) for name in FIELDS])


def jsonl_lines(cases: Iterable[CaseDraft]) -> Iterator[str]:
    """A line a case, always with all nine keys."""
    for case in cases:
        yield compact(case.as_dict()) + "\n"


def template() -> str:
    """A CSV with every column and one case, which imports as it is (DS-126, DS-127)."""
    return "".join(csv_lines([TEMPLATE]))


def _written(writer: Any, buffer: io.StringIO, cells: list[str]) -> str:
    writer.writerow(cells)
    line = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return line


def _cell(case: CaseDraft, name: str) -> str:
    value = getattr(case, name)
    if name in JSON_COLUMNS:
        return compact(list(value)) if value else ""
    text = ",".join(value) if name == "tags" else value or ""
    return f"'{text}" if text.startswith(FORMULA) else text
