"""Writing cases as CSV and as JSONL, so that they come back unchanged (DS-136 to DS-140, DS-D48, DS-D49)."""

import json
from collections.abc import Callable, Iterable, Iterator

from core.json_values import compact
from datasets.logic.csv_reader import FORMULA
from datasets.logic.drafts import FIELDS, CaseDraft
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


def csv_lines(cases: Iterable[WrittenCase]) -> Iterator[str]:
    """The header and a row a case, each with its line end.

    Put together here, since the standard library's writer looks at each letter of long texts by itself and took most of
    an export's time.
    """
    yield ",".join(FIELDS) + "\r\n"
    for case in cases:
        yield ",".join(_cells(case)) + "\r\n"


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


def _cells(case: WrittenCase) -> tuple[str, ...]:
    return (
        text_cell(case.input),
        _json(case.history),
        text_cell(case.reference_answer),
        text_cell(case.counter_example),
        _json(case.expected_tool_calls),
        case.order_mode,
        _json(case.checks),
        text_cell("" if case.tags == EMPTY_LIST else ",".join(json.loads(case.tags))),
        text_cell(case.note),
    )


def text_cell(text: str | None) -> str:
    """Marked where a spreadsheet would run it (DS-137), and in quotes where it would end the cell."""
    if not text:
        return ""
    cell = f"'{text}" if text.startswith(FORMULA) else text
    return _quoted(cell) if "," in cell or '"' in cell or "\n" in cell or "\r" in cell else cell


def _json(text: str) -> str:
    """Never marked: it begins with a bracket. A list with something in it has a quotation mark."""
    return "" if text == EMPTY_LIST else _quoted(text)


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'
