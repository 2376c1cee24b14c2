"""Import files as they are read, and exports that come back (DS-121 to DS-140, DS-D36 to DS-D52, BC-1 to BC-14)."""

import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Invalid, Problem
from core.limits import LIMITS
from core.reading_child import ReadingChild
from core.refusals import refusal as refused_file
from datasets.forms.problems import problem_rows
from datasets.logic.csv_reader import read_csv
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.logic.file_writers import csv_lines, jsonl_lines, template
from datasets.logic.import_file import read_import_file
from datasets.logic.rows import ReadRows, UnreadableFile
from datasets.logic.validation import read_case
from datasets.logic.written_case import written

HEADER = "input,reference_answer\n"


def read(text: str | bytes, name: str = "cases.csv", most: int = LIMITS.cases) -> ReadRows:
    return read_import_file(name, text if isinstance(text, bytes) else text.encode(), most=most)


def drafts(text: str | bytes, name: str = "cases.csv") -> tuple[CaseDraft, ...]:
    found = read(text, name)
    assert not found.problems
    return found.drafts


def problems(text: str | bytes, name: str = "cases.csv") -> list[tuple[int | None, str]]:
    """Row and field of each problem of a row."""
    return [(problem.row, problem.field) for problem in read(text, name).problems]


def refusal(text: str | bytes, name: str = "cases.csv") -> list[str]:
    """The words of a file that is refused as a whole."""
    with pytest.raises(UnreadableFile) as refused:
        read(text, name)
    return [problem.text % problem.values for problem in refused.value.problems]


# --- Reading CSV


@pytest.mark.spec("DS-134", "DS-130", "DS-132")
def test_the_file_of_the_specification_imports_as_two_cases() -> None:
    text = (
        "input,reference_answer,tags\nHow long is the return window?,30 days from delivery,returns\n"
        'Can I return a used kettle?,"No, only unused items",returns\n'
    )
    assert drafts(text) == (
        CaseDraft("How long is the return window?", reference_answer="30 days from delivery", tags=("returns",)),
        CaseDraft("Can I return a used kettle?", reference_answer="No, only unused items", tags=("returns",)),
    )


@pytest.mark.spec("DS-126", "DS-127")
def test_the_template_has_every_column_and_imports_as_it_is() -> None:
    assert template().split("\r\n")[0].split(",") == list(FIELDS)
    (draft,) = drafts(template())
    assert all(getattr(draft, name) for name in FIELDS)


@pytest.mark.spec("DS-D39")
def test_a_file_of_semicolons_or_tabs_is_refused_with_the_cause() -> None:
    assert "looks separated by semicolons" in refusal('input;expected\r\n"Hello, you";hi\r\n')[0]
    assert "looks separated by tabs" in refusal("input\treference_answer\na\tb\n")[0]


@pytest.mark.spec("DS-D37")
def test_a_byte_order_mark_is_dropped_and_other_encodings_are_named() -> None:
    assert drafts(b"\xef\xbb\xbf" + HEADER.encode() + b"a,b\n")[0].input == "a"
    assert "UTF-16" in refusal((HEADER + "a,b\n").encode("utf-16"))[0]
    assert "UTF-16" in refusal(b"\xfe\xff" + HEADER.encode("utf-16-be"))[0]
    assert "UTF-32" in refusal((HEADER + "a,b\n").encode("utf-32"))[0]


@pytest.mark.spec("DS-D37")
def test_a_bad_byte_is_named_with_its_place_and_line() -> None:
    (words,) = refusal(HEADER.encode() + b"na\xefve caf\xe9,x\n")
    assert "Byte 26, in line 2," in words
    assert "UTF-8" in words


@pytest.mark.spec("DS-D41", "DS-D42", "DS-124", "DS-49")
def test_every_bad_row_is_named_as_a_spreadsheet_numbers_it() -> None:
    assert problems(HEADER + "q1,a1,extra\nq2\n,\n\nq3,a3\n,a4\n") == [
        (2, ""),
        (3, "reference_answer"),
        (7, "input"),
    ]


@pytest.mark.spec("DS-D42")
def test_a_row_has_all_its_problems_and_its_line_where_cells_have_line_breaks() -> None:
    found = read('input,reference_answer,order_mode,tags\n"a\nb",c,any,\n,x,sometimes,"a,b,c"\n').problems
    assert [(problem.row, problem.line, problem.field) for problem in found] == [(3, 4, "input"), (3, 4, "order_mode")]


@pytest.mark.spec("DS-D40", "DS-131")
def test_header_problems_come_first_and_alone() -> None:
    assert refusal("input,input\nx,y\n") == ["This column is there 2 times."]
    assert refusal("Input,reference_answer\nx\n")[0] == "There is no field of this name. Did you mean input?"
    assert len(refusal("Input,refrence_answer,tags\n,,\n")) == 3
    assert refusal("reference_answer\nx\n") == [
        "The header has no column input, which every case needs. It has: reference_answer."
    ]
    assert "must name the columns" in refusal("How long?,30 days\n")[0]


@pytest.mark.spec("DS-D40", "DS-131")
@pytest.mark.parametrize(
    ("header", "column"),
    [("Customer question,tags", "Customer question"), ("Prompt,reference_answer", "Prompt"), ("a,tags", "")],
)
def test_a_header_without_the_question_is_told_which_column_looks_like_it(header: str, column: str) -> None:
    with pytest.raises(UnreadableFile) as refused:
        read(f"{header}\nx,y\n")
    problem = refused.value.problems[-1]
    assert (problem.values["column"], "call it input" in problem.text) == (column, bool(column))
    assert problem.values["found"] == header.replace(",", ", ")


@pytest.mark.spec("DS-D40", "DS-124")
def test_what_is_known_is_said_of_the_first_unknown_name_alone() -> None:
    lines = "".join('{"input": "q", "reference_answer": "a", "zzz": 1, "yyy": 2}\n' for _row in range(3))
    found = read(lines, "a.jsonl").problems
    assert [(problem.row, problem.field, "known" in problem.values) for problem in found] == [
        (row, field, field == "zzz") for row in (1, 2, 3) for field in ("zzz", "yyy")
    ]
    shown = problem_rows(refused_file(found))
    assert [(line.row, line.field) for line in shown] == [("1–3", "zzz"), ("1–3", "yyy")]


def test_rows_of_a_problem_are_named_in_stretches_and_the_many_counted() -> None:
    problems = [Problem("a", "Wrong.", row) for row in [2, 3, 4, 7, *range(10, 50, 2)]]
    assert problem_rows(Invalid(problems))[0].row == "2–4, 7, 10, 12, 14, 16, 18, 20 and 14 more"
    assert problem_rows(Invalid.at("file", "Empty."))[0].row is None


@pytest.mark.spec("DS-D40")
def test_header_names_are_trimmed_and_a_nameless_column_must_be_empty() -> None:
    assert drafts(" input , reference_answer,\na,b,\n")[0].input == "a"
    assert problems("input,reference_answer,\na,b,\na,b,c\n") == [(3, "")]


@pytest.mark.spec("DS-D39")
def test_a_quote_that_never_closes_is_refused_with_its_line() -> None:
    assert refusal(HEADER + 'a,b\n"q,a\nq2,b\n') == ["A quotation mark opens in line 3 and never closes."]
    (words,) = refusal(HEADER + '"unclosed,a\n"q2",b\n')
    assert "opens in line 2 closes in line 3" in words


@pytest.mark.spec("DS-D43")
@pytest.mark.parametrize("text", ["", HEADER, "\n\n \n", HEADER + "\n,\n", "\ufeff"])
@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_a_file_without_cases_is_refused(text: str, name: str) -> None:
    if name == "a.jsonl":
        text = text.replace(HEADER, "\n").replace(",", "")
    assert refusal(text, name) == ["The file has no cases."]


@pytest.mark.spec("DS-D38")
def test_the_ending_of_the_name_says_the_format() -> None:
    assert drafts(HEADER + "a,b", "X.CSV")[0].input == "a"
    assert "must end in .csv or .jsonl" in refusal(HEADER + "a,b", "cases.txt")[0]
    assert "must end" in refusal(HEADER + "a,b", "csv")[0]


def test_a_huge_cell_is_measured_by_our_own_limit() -> None:
    (problem,) = read(HEADER + "x" * 140_000 + ",y\n").problems
    assert (problem.row, problem.field) == (2, "input")
    assert problem.text % problem.values == "At most 50000 characters; this has 140000."


def test_line_breaks_inside_cells_belong_to_the_cell() -> None:
    (draft,) = drafts(HEADER.encode() + b'"a\nb\r\nc\rd\n",x\r\n')
    assert draft.input == "a\nb\nc\nd\n"


@pytest.mark.spec("DS-D48", "DS-138")
def test_one_mark_is_taken_away_only_before_what_a_spreadsheet_would_run() -> None:
    cells = ["'=1+1", "'+1", "'-1", "'@x", "''quoted", "'tis", "' x", "=1", "'"]
    text = HEADER + "".join(f"{cell},y\n" for cell in cells)
    assert [draft.input for draft in drafts(text)] == ["=1+1", "+1", "-1", "@x", "'quoted", "'tis", "' x", "=1", "'"]


@pytest.mark.spec("DS-D44")
def test_json_in_cells_is_as_strict_as_jsonl() -> None:
    rows = ['"[{""a"":1,""a"":2}]"', "[NaN]", "[1e999]", '"{""type"":""contains""}"', "[" + "1" * 5000 + "]", '"[""x"]']
    for cell in rows[:5]:
        assert problems(f"input,checks\nq,{cell}\n") == [(2, "checks")], cell
    assert problems("input,history,reference_answer\nq," + "[" * 5000 + "]" * 5000 + ",a\n") == [(2, "history")]


def test_a_file_is_only_counted_beyond_its_most_rows() -> None:
    found = read(HEADER + "a,b\n" * 7 + ",\n,x\n", most=5)
    assert (found.count, len(found.drafts), found.problems) == (8, 5, ())


# --- Reading JSONL


@pytest.mark.spec("DS-129", "DS-D44")
def test_a_line_is_an_object_and_blank_lines_still_count() -> None:
    text = '\ufeff{"input":"a","reference_answer":"b"}\r\n\n["x"]\n{"input":"q","colour":1,"reference_answer":5}\n'
    assert problems(text, "a.jsonl") == [(3, ""), (4, "colour"), (4, "reference_answer")]


def test_a_raw_line_break_in_a_string_names_both_lines_and_says_why() -> None:
    found = read(
        '{"input":"ok","reference_answer":"a"}\n{"input":"first\nsecond","reference_answer":"b"}\n', "a.jsonl"
    ).problems
    assert [problem.row for problem in found] == [2, 3]
    assert "line ends inside a string; write \\n" in found[0].text % found[0].values


@pytest.mark.spec("DS-D44")
@pytest.mark.parametrize(
    "line",
    ['{"cost":NaN}', '{"cost":1e999}', '{"n":' + "1" * 5000 + "}", "[" * 5000 + "]" * 5000, '{"a":1,"a":2}', "\ud800"],
    ids=["nan", "infinite", "long", "deep", "twice", "half"],
)
def test_what_breaks_parsers_makes_the_line_invalid(line: str) -> None:
    data = (line + '\n{"input":"q","reference_answer":"a"}\n').encode("utf-8", "surrogatepass")
    if line == "\ud800":
        assert "is not UTF-8" in refusal(data, "a.jsonl")[0]
    else:
        assert problems(data, "a.jsonl") == [(1, "")]


def test_only_line_feeds_end_a_line_of_jsonl() -> None:
    line = json.dumps({"input": "a\u2028b\x85c", "reference_answer": "x"}, ensure_ascii=False)
    assert drafts(line, "a.jsonl")[0].input == "a\u2028b\x85c"


# --- Writing, and coming back

TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"], exclude_characters="\x00"),
        st.sampled_from(list("=+-@'\",;\n\r\t{}[]ŁłИ")),
    ),
    max_size=30,
)
SCALARS = st.one_of(
    TEXTS,
    st.booleans(),
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=5,
)
TURNS = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "content": TEXTS.map(lambda text: f"{text}x")}
)
CALLS = st.fixed_dictionaries(
    {"tool": TEXTS.map(lambda text: f"{text}t"), "args": st.dictionaries(TEXTS, VALUES, max_size=3)}
)
FILLED = TEXTS.map(lambda text: f"{text}x")
CHECKS = st.one_of(
    st.fixed_dictionaries({"type": st.just("contains"), "value": FILLED}),
    st.fixed_dictionaries({"type": st.just("max_cost_usd"), "value": st.floats(0, 1e300)}),
    st.fixed_dictionaries({"type": st.just("length"), "unit": st.just("words"), "max": st.integers(0, 100_000)}),
)
TAGS = TEXTS.map(lambda text: text.replace(",", "")).filter(lambda text: text.strip())
CASES = st.fixed_dictionaries(
    {"input": TEXTS.map(lambda text: f"{text}?"), "reference_answer": TEXTS.map(lambda text: f"{text}!")},
    optional={
        "counter_example": TEXTS,
        "note": TEXTS,
        "history": st.lists(TURNS, max_size=3),
        "expected_tool_calls": st.lists(CALLS, max_size=3),
        "order_mode": st.sampled_from(["any", "in_order", "exact"]),
        "checks": st.lists(CHECKS, max_size=3),
        "tags": st.lists(TAGS, max_size=5),
    },
)


def as_stored(raw: dict[str, Any]) -> CaseDraft:
    draft, wrong = read_case(raw, ReadingChild())
    assert draft is not None, wrong
    return draft


@pytest.mark.spec("DS-136", "DS-D48", "DS-D49")
@given(st.lists(CASES, min_size=1, max_size=4))
@settings(deadline=None, max_examples=150)
def test_an_export_comes_back_without_change(raws: list[dict[str, Any]]) -> None:
    cases = tuple(as_stored(raw) for raw in raws)
    for name, writer in (("x.csv", csv_lines), ("x.jsonl", jsonl_lines)):
        first = "".join(writer(map(written, cases)))
        back = drafts(first, name)
        assert back == cases
        assert "".join(writer(map(written, back))) == first


@pytest.mark.spec("DS-137")
@given(TEXTS)
def test_no_cell_of_an_export_begins_like_a_formula(text: str) -> None:
    case = as_stored({"input": f"{text}?", "reference_answer": f"{text}a", "tags": ["=1"], "note": text})
    line = "".join(csv_lines([written(case)])).split("\r\n", 1)[1]
    cells = [cell.lstrip('"') for cell in _cells(line)]
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]


def _cells(line: str) -> list[str]:
    import csv
    import io

    return next(csv.reader(io.StringIO(line, newline="")))


@pytest.mark.spec("DS-D49", "DS-139", "DS-140")
def test_columns_and_keys_have_one_order() -> None:
    case = as_stored(
        {
            "input": "żółw",
            "tags": ["a|b", "c"],
            "history": [{"content": "| a |\n| - |", "role": "user"}],
            "expected_tool_calls": [{"args": {"n": 1.0, "city": "Łódź"}, "tool": "lookup"}],
            "checks": [{"value": "x", "type": "contains", "case_sensitive": False}],
        }
    )
    header, row = "".join(csv_lines([written(case)])).split("\r\n")[:2]
    assert header == "input,history,reference_answer,counter_example,expected_tool_calls,order_mode,checks,tags,note"
    assert row == (
        'żółw,"[{""role"":""user"",""content"":""| a |\\n| - |""}]",,,'
        '"[{""tool"":""lookup"",""args"":{""city"":""Łódź"",""n"":1.0}}]",any,'
        '"[{""type"":""contains"",""case_sensitive"":false,""value"":""x""}]","a|b,c",'
    )
    (line,) = jsonl_lines([written(case)])
    assert list(json.loads(line)) == list(FIELDS)
    assert line.startswith(
        '{"input":"żółw","history":[{"role":"user","content":"| a |\\n| - |"}],"reference_answer":null,'
    )


def test_an_export_of_nothing_is_a_header_or_an_empty_file() -> None:
    assert "".join(csv_lines([])) == ",".join(FIELDS) + "\r\n"
    assert "".join(jsonl_lines([])) == ""


@pytest.mark.spec("DS-D39", "DS-D42")
def test_a_cell_of_many_doubled_quotes_takes_little_memory() -> None:
    text = 'input,reference_answer\n"' + '""' * 300_000 + '",a\n'
    tracemalloc.start()
    rows = list(read_csv(text))
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(rows[0].raw["input"]) == 300_000
    assert peak < 10 * len(text)
