"""Writing cases as CSV and as JSONL, so that they come back unchanged (DS-136 to DS-140, DS-D48, DS-D49)."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator

from datasets.logic.csv_reader import FORMULA
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.logic.json_values import compact
from datasets.logic.written_case import EMPTY_LIST, WrittenCase, written

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

Writer = Callable[[Iterable[WrittenCase]], Iterator[str]]


class _Line:
    """What csv.writer writes to; it hands each line back instead of keeping it."""

    def write(self, line: str) -> str:
        return line


def csv_lines(cases: Iterable[WrittenCase]) -> Iterator[str]:
    """The header and a row a case, each with its line end."""
    writer = csv.writer(_Line(), lineterminator="\r\n")
    yield writer.writerow(FIELDS)
    for case in cases:
        yield writer.writerow(_cells(case))


def jsonl_lines(cases: Iterable[WrittenCase]) -> Iterator[str]:
    """A line a case, always with all nine keys."""
    for case in cases:
        yield (
            f'{{"input":{compact(case.input)},"history":{case.history}'
            f',"reference_answer":{compact(case.reference_answer)},"counter_example":{compact(case.counter_example)}'
            f',"expected_tool_calls":{case.expected_tool_calls},"order_mode":{compact(case.order_mode)}'
            f',"checks":{case.checks},"tags":{case.tags},"note":{compact(case.note)}}}\n'
        )


def template() -> str:
    """A CSV with every column and one case, which imports as it is (DS-126, DS-127)."""
    return "".join(csv_lines([written(TEMPLATE)]))


def _cells(case: WrittenCase) -> list[str]:
    """Marked where a spreadsheet would run them; JSON never is, since it begins with a bracket (DS-137)."""
    return [
        _marked(case.input),
        _json(case.history),
        _marked(case.reference_answer),
        _marked(case.counter_example),
        _json(case.expected_tool_calls),
        case.order_mode,
        _json(case.checks),
        _marked("" if case.tags == EMPTY_LIST else ",".join(json.loads(case.tags))),
        _marked(case.note),
    ]


def _marked(text: str | None) -> str:
    return f"'{text}" if text and text.startswith(FORMULA) else text or ""


def _json(text: str) -> str:
    return "" if text == EMPTY_LIST else text
