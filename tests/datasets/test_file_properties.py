"""What holds for every file: ours come back, the standard library's are read alike, and none is more than refused."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.limits import LIMITS
from core.problems import Problem
from datasets.logic.csv_records import records_of
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.logic.file_writers import csv_lines, jsonl_lines
from datasets.logic.import_file import read_import_file
from datasets.logic.rows import ReadRows, UnreadableFile
from datasets.logic.written_case import written

# Letters of every plane, and what files are made of far more often than by chance.
LETTERS = st.one_of(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"),
    st.sampled_from(list("=+-@'\",;\n\r\t{}[]\\ \u2028\x85\ufeff")),
)
TEXTS = st.text(LETTERS, max_size=12)
HEADER = ",".join(FIELDS).encode() + b"\n"
FORMATS = (("x.csv", csv_lines), ("x.jsonl", jsonl_lines))


def read(name: str, data: bytes) -> ReadRows:
    return read_import_file(name, data, most=LIMITS.cases)


# --- The standard library's files


@pytest.mark.spec("DS-D39", "DS-D41")
@given(
    st.lists(st.lists(TEXTS, min_size=2, max_size=4), max_size=5),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
)
@settings(deadline=None, max_examples=120)
def test_what_the_standard_library_writes_is_read_cell_by_cell(rows: list[list[str]], end: str, quoting: Any) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator=end, quoting=quoting).writerows(rows)
    # CR LF ends a row, whoever wrote the CR.
    assume(quoting == csv.QUOTE_ALL or end == "\r\n" or not any(row[-1].endswith("\r") for row in rows))
    expected = [row for row in rows if "".join(row).strip()]
    assert [record.cells for record in records_of(file.getvalue())] == expected


@pytest.mark.spec("DS-137", "DS-D39", "DS-D49")
@given(TEXTS.filter(str.strip), TEXTS.filter(str.strip), TEXTS)
@settings(deadline=None, max_examples=120)
def test_the_standard_library_reads_and_writes_our_file_cell_by_cell(question: str, answer: str, tag: str) -> None:
    case = CaseDraft(question, reference_answer=answer, tags=(tag.replace(",", "") or "t",), note=None)
    case = case.with_changes({"checks": ({"type": "contains", "value": answer},)})
    file = "".join(csv_lines([written(case)]))
    rows = list(csv.reader(io.StringIO(file, newline=""), strict=True))
    assert rows[0] == list(FIELDS)
    cells = dict(zip(FIELDS, rows[1], strict=True))
    quoted = [f"'{text}" if text[0] in "=+-@'" else text for text in (question, answer)]
    assert [cells["input"], cells["reference_answer"]] == quoted
    assert json.loads(cells["checks"]) == list(case.checks)
    again = io.StringIO()
    csv.writer(again, lineterminator="\r\n").writerows(rows)
    assert again.getvalue() == file


@pytest.mark.spec("DS-D42")
@given(st.lists(st.lists(TEXTS.map(lambda text: f"{text}x"), min_size=2, max_size=2), min_size=1, max_size=6))
@settings(deadline=None)
def test_every_record_knows_its_number_and_its_first_line(rows: list[list[str]]) -> None:
    file = io.StringIO()
    csv.writer(file, lineterminator="\r\n", quoting=csv.QUOTE_ALL).writerows(rows)
    line = 1
    for number, (record, row) in enumerate(zip(records_of(file.getvalue()), rows, strict=True), start=1):
        assert (record.number, record.line) == (number, line)
        line += 1 + "".join(row).count("\n")


# --- Any file


@pytest.mark.spec("DS-123", "DS-124")
@given(
    st.sampled_from(["x.csv", "x.jsonl"]),
    st.lists(
        st.one_of(
            st.binary(max_size=20),
            TEXTS.map(str.encode),
            st.sampled_from(
                [",".join(FIELDS).encode() + b"\n", b'{"input":"q","reference_answer":"a"}\n', b'"', b"\r\n"]
            ),
        ),
        max_size=12,
    ),
)
@settings(deadline=None, max_examples=120)
def test_any_bytes_are_cases_or_problems_in_words(name: str, pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    problems = refusal(name, data)
    if problems is None:
        assert read(name, data).drafts
    else:
        assert problems
        assert all(problem.text % problem.values for problem in problems)


def refusal(name: str, data: bytes) -> Sequence[Problem] | None:
    """The problems of a file, or None where it has cases and none."""
    try:
        found = read(name, data)
    except UnreadableFile as refused:
        return refused.problems
    assert all(problem.row for problem in found.problems)
    return found.problems or None


# --- Our files after one byte was damaged

CASES = [
    CaseDraft("=1+1\n", reference_answer="a,b", tags=("x", "=y"), note='"'),
    CaseDraft("q\r", checks=({"type": "contains", "value": "x"},), expected_tool_calls=({"tool": "t", "args": {}},)),
]


@pytest.mark.spec("DS-123", "DS-131")
@given(st.sampled_from(FORMATS), st.data())
@settings(deadline=None, max_examples=80)
def test_a_damaged_export_is_read_or_refused_and_never_loses_a_case_silently(kind: Any, data: st.DataObject) -> None:
    name, writer = kind
    file = bytearray("".join(writer(map(written, CASES))).encode())
    place = data.draw(st.integers(0, len(file) - 1))
    file[place] = data.draw(st.integers(0, 255))
    problems = refusal(name, bytes(file))
    assert problems or len(read(name, bytes(file)).drafts) in {1, 2, 3}


@pytest.mark.spec("DS-136", "DS-137", "DS-138")
@given(st.lists(TEXTS.filter(str.strip), min_size=1, max_size=4))
@settings(deadline=None, max_examples=80)
def test_any_text_comes_back_from_any_field_of_both_formats(texts: list[str]) -> None:
    """BC-14, and cells that begin like formulas: read, written and read again it is the same to the byte."""
    raw = [
        {
            "input": text,
            "history": [{"role": "user", "content": text}],
            "counter_example": text,
            "expected_tool_calls": [{"tool": f"{text}t", "args": {text: {text: [text, None, 1, 1.0, True]}}}],
            "checks": [{"type": "contains", "value": f"{text}x"}],
            "tags": [text.replace(",", "") + "t"],
            "note": text,
        }
        for text in texts
    ]
    cases = read("x.jsonl", "\n".join(map(json.dumps, raw)).encode()).drafts
    assert [case.input for case in cases] == [text.replace("\r\n", "\n").replace("\r", "\n") for text in texts]
    for name, writer in FORMATS:
        file = "".join(writer(map(written, cases)))
        back = read(name, file.encode()).drafts
        assert back == cases
        assert "".join(writer(map(written, back))) == file
