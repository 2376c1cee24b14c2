"""What an answer that somebody brings along may say, and in which words it is refused (BC-10, BC-38, DS-131)."""

from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from core.limits import LIMITS
from core.problems import Problem
from datasets.logic.import_file import rows_of_file
from datasets.logic.rows import Row, UnreadableFile
from scoring.logic.answers import GradedAnswer, MadeCall
from scoring.logic.stored_answers import (
    ANSWER_FILE,
    StoredAnswer,
    read_answer,
    read_answers,
    read_made_call,
    sent_rows,
)

CASE = "0197f1b2-0000-7000-8000-00000000000a"
NO_CASE = "Say which case this answers: by its case_id, or by its question as input."
NO_ANSWER = 'Give the answer as text; one without words is written as "".'
NO_ID = "This is no id of a case."


def said(problems: Any) -> list[tuple[str, str]]:
    return [(problem.field, problem.text % problem.values) for problem in problems]


def test_an_answer_with_everything_is_read_whole() -> None:
    call = {"tool": "t", "args": {"a": 1}, "outcome": "failed"}
    raw = {
        "case_id": f" {CASE.upper()} ",
        "input": "Why?",
        "answer": " Two years. ",
        "tool_calls": [call],
        "cost_usd": 0.25,
        "latency_ms": 1500,
    }
    answer = GradedAnswer(" Two years. ", (MadeCall("t", {"a": 1}, "failed"),), Decimal("0.25"), 1.5)
    assert read_answer(7, raw) == (StoredAnswer(7, UUID(CASE), "Why?", answer), [])


@pytest.mark.spec("BC-38")
def test_an_answer_that_says_little_has_no_calls_cost_and_time() -> None:
    assert read_answer(0, {"input": "Why?", "answer": "", "tool_calls": ""}) == (
        StoredAnswer(0, None, "Why?", GradedAnswer("", (), None, None)),
        [],
    )


@pytest.mark.spec("BC-10", "DS-131")
@pytest.mark.parametrize(
    ("raw", "problems"),
    [
        ({}, [("case_id", NO_CASE), ("answer", NO_ANSWER)]),
        ({"case_id": " ", "input": " \n", "answer": "a"}, [("case_id", NO_CASE)]),
        ({"case_id": CASE, "answer": None}, [("answer", NO_ANSWER)]),
        ({"case_id": "12", "answer": "a"}, [("case_id", NO_ID)]),
        ({"case_id": 12, "answer": "a"}, [("case_id", NO_ID)]),
        ({"case_id": CASE.replace("-", ""), "answer": "a"}, [("case_id", NO_ID)]),
        ({"input": 5, "answer": "a"}, [("input", "This must be text, not a number.")]),
        ({"input": "Why?", "answer": []}, [("answer", "This must be text, not a list.")]),
        (
            {"input": "x" * 100_001, "answer": "a"},
            [("input", f"At most {LIMITS.text_characters} characters; this has 100001.")],
        ),
        (
            {"case_id": CASE, "answer": "a", "anwser": "b"},
            [("anwser", "There is no field of this name. Did you mean answer?")],
        ),
        ({"case_id": CASE, "answer": "a", "tool_calls": {}}, [("tool_calls", "This must be a list, not an object.")]),
        (
            {"case_id": CASE, "answer": "a", "tool_calls": [{"tool": "t"}, 5]},
            [("tool_calls.1", "A tool call is an object, not a number.")],
        ),
        (
            {"case_id": CASE, "answer": "a", "cost_usd": -1, "latency_ms": 10**12 + 1},
            [("cost_usd", "This must be a number from 0 up."), ("latency_ms", "This number is too large.")],
        ),
    ],
)
def test_each_problem_of_an_answer_is_said_at_its_field(raw: dict[str, Any], problems: list[tuple[str, str]]) -> None:
    read, wrong = read_answer(0, raw)
    assert said(wrong) == problems
    assert read.answer.calls == ()


def test_the_longest_time_and_the_longest_question_are_taken() -> None:
    raw = {"input": "x" * LIMITS.text_characters, "answer": "a", "latency_ms": 10**12}
    read, wrong = read_answer(0, raw)
    assert (wrong, read.answer.seconds) == ([], 10**9)


@pytest.mark.parametrize(
    ("call", "made"),
    [
        ({"tool": "t"}, MadeCall("t", {})),
        ({"tool": "t", "outcome": None}, MadeCall("t", {})),
        ({"name": "t", "args": {"a": 1}, "outcome": "ok"}, MadeCall("t", {"a": 1}, "ok")),
        (
            {"tool": "t", "arguments": {"a": 1}, "args": {"a": 2}, "outcome": "failed"},
            MadeCall("t", {"a": 1}, "failed"),
        ),
        ({"tool": "mine", "name": "t"}, MadeCall("t", {})),
    ],
)
def test_a_call_is_read_by_our_names_and_by_others(call: dict[str, Any], made: MadeCall) -> None:
    before = dict(call)
    assert read_made_call(call) == (made, [])
    assert call == before


@pytest.mark.spec("BC-10")
@pytest.mark.parametrize(
    ("call", "problems"),
    [
        ("refund", [("", "A tool call is an object, not text.")]),
        ({"tool": "t", "outcome": "maybe"}, [("outcome", "The outcome is ok, failed or blocked.")]),
        ({"tool": "t", "outcome": ""}, [("outcome", "The outcome is ok, failed or blocked.")]),
        (
            {"tool": "t", "args": {"a": "\x00"}},
            [("arguments", "The text holds a character that cannot be stored (NUL or half of a pair).")],
        ),
        (
            {"tool": "\ud800"},
            [("arguments", "The text holds a character that cannot be stored (NUL or half of a pair).")],
        ),
    ],
)
def test_a_call_that_cannot_be_read_says_why(call: Any, problems: list[tuple[str, str]]) -> None:
    found, wrong = read_made_call(call)
    assert found is None
    assert said(wrong) == problems


def test_arguments_have_room_up_to_a_limit() -> None:
    around = len('["t",{"a":""}]')
    assert read_made_call({"tool": "t", "args": {"a": "x" * (LIMITS.answer_characters - around)}})[1] == []
    assert len(read_made_call({"tool": "t", "args": {"a": "x" * (LIMITS.answer_characters - around + 1)}})[1]) == 1


@pytest.mark.spec("DS-124", "BC-7")
def test_a_row_keeps_its_own_problems_its_number_and_its_line() -> None:
    own = Problem("", "Broken")
    rows = [
        Row(2, 2, {"case_id": CASE}),
        Row(3, 5, {"case_id": CASE, "answer": "b"}, (own,)),
        Row(4, 9, {}, (own,)),
        Row(5, 10, {"case_id": CASE, "answer": "c"}),
        Row(6, 11, {"case_id": CASE, "answer": "d"}),
    ]
    read = read_answers(rows, most=4, blank={"answer": ""})
    assert [(sent.place, sent.answer.text) for sent in read.answers] == [(2, ""), (5, "c")]
    assert [(one.row, one.line, one.text) for one in read.problems] == [(3, 5, "Broken"), (4, 9, "Broken")]
    assert read.count == 5
    assert read_answers([], most=1).count == 0
    assert said(read_answers(rows[:1], most=1).problems) == [("answer", NO_ANSWER)]


def test_the_entries_of_a_request_are_rows_by_their_place() -> None:
    rows = list(sent_rows([{"answer": "a"}, {}, "text"]))
    assert [(row.number, row.line) for row in rows] == [(0, 0), (1, 1), (2, 2)]
    assert [row.raw for row in rows] == [{"answer": "a"}, {"answer": None}, {}]
    assert said(rows[2].problems) == [("", "An answer is an object with case_id and answer, not text.")]
    assert (rows[0].problems, rows[1].problems) == ((), ())


def problems_of(text: str, name: str = "answers.csv") -> list[tuple[str, str]]:
    with pytest.raises(UnreadableFile) as refused:
        list(rows_of_file(name, text.encode(), ANSWER_FILE))
    return said(refused.value.problems)


@pytest.mark.spec("DS-D40")
def test_a_header_without_what_every_row_needs_is_refused_in_words() -> None:
    case = "The header needs a column case_id, or a column input with the question of each case."
    answer = "The header has no column answer, which every row needs."
    assert problems_of("tool_calls\n[]\n") == [("case_id", case), ("answer", answer)]
    assert problems_of("input\nx\n") == [("answer", answer)]
    assert problems_of("answer\nx\n") == [("case_id", case)]


@pytest.mark.parametrize(
    ("cell", "cost"),
    [
        (" 0.5 ", Decimal("0.5")),
        ("1e-3", Decimal("0.001")),
        ("2E+1", Decimal(20)),
        ("-0", Decimal(0)),
        (" ", None),
        ("1,5", "refused"),
        ("0x1", "refused"),
        ("1.", "refused"),
        ("nan", "refused"),
    ],
)
def test_the_number_of_a_cell_is_read_by_its_digits(cell: str, cost: Any) -> None:
    text = f'case_id,answer,cost_usd\n{CASE},a,"{cell}"\n'
    read = read_answers(rows_of_file("answers.csv", text.encode(), ANSWER_FILE), most=9)
    if cost == "refused":
        assert said(read.problems) == [("cost_usd", "This must be a number from 0 up, not text.")]
    else:
        assert read.answers[0].answer.cost == cost
