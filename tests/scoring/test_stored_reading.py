"""Reading answers that somebody brings along: every shape that is taken, and every problem at once."""

from decimal import Decimal
from typing import Any
from uuid import UUID, uuid4

import pytest

from core.limits import LIMITS
from core.problems import Problem
from datasets.logic.import_file import rows_of_file
from datasets.logic.rows import UnreadableFile
from scoring.logic.answers import MadeCall
from scoring.logic.stored_answers import ANSWER_FILE, ReadAnswers, read_answers, read_made_call, sent_rows

CASE = "0197f1b2-0000-7000-8000-000000000001"


def of_file(text: str, name: str = "answers.csv") -> ReadAnswers:
    blank = {"answer": ""} if name.endswith(".csv") else {}
    return read_answers(rows_of_file(name, text.encode(), ANSWER_FILE), most=LIMITS.stored_answers_a_file, blank=blank)


def places(problems: tuple[Problem, ...]) -> list[tuple[int | None, str]]:
    return [(problem.row, problem.field) for problem in problems]


def test_a_csv_row_becomes_an_answer_with_calls_cost_and_time() -> None:
    calls = '"[{""tool"": ""look_up"", ""args"": {""order"": 12}}]"'
    read = of_file(f"case_id,answer,tool_calls,cost_usd,latency_ms\n{CASE},Two years.,{calls},0.0012,1500\n")
    assert read.problems == ()
    (sent,) = read.answers
    assert (sent.place, sent.case_id, sent.question) == (2, UUID(CASE), "")
    assert sent.answer.text == "Two years."
    assert sent.answer.calls == (MadeCall("look_up", {"order": 12}),)
    assert sent.answer.cost == Decimal("0.0012")
    assert sent.answer.seconds == 1.5


@pytest.mark.spec("BC-38")
def test_nought_is_a_cost_and_nothing_is_not_known() -> None:
    read = of_file(f"case_id,answer,cost_usd,latency_ms\n{CASE},a,0,0\n{CASE},b,,\n{CASE},c\n")
    measured = [(sent.answer.cost, sent.answer.seconds) for sent in read.answers]
    assert measured == [(Decimal(0), 0), (None, None), (None, None)]


def test_a_line_of_jsonl_becomes_an_answer_that_names_its_question() -> None:
    read = of_file('{"input": "How long?", "answer": "Two years.", "cost_usd": null}\n', "answers.jsonl")
    assert read.problems == ()
    assert (read.answers[0].case_id, read.answers[0].question) == (None, "How long?")


@pytest.mark.parametrize(
    "call",
    [
        {"tool": "refund", "args": {"order": 12}},
        {"name": "refund", "arguments": {"order": 12}},
        {"tool": "refund", "arguments": '{"order": 12}'},
        {"id": "call_1", "type": "function", "function": {"name": "refund", "arguments": '{"order": 12}'}},
    ],
)
def test_a_call_is_taken_in_every_usual_shape(call: dict[str, Any]) -> None:
    assert read_made_call(call) == (MadeCall("refund", {"order": 12}), [])


def test_a_call_may_say_how_it_went() -> None:
    found, problems = read_made_call({"tool": "refund", "outcome": "blocked"})
    assert problems == []
    assert found == MadeCall("refund", {}, "blocked")
    assert found.is_blocked


def test_arguments_that_are_no_object_stay_text() -> None:
    found, _problems = read_made_call({"tool": "refund", "args": "order 12"})
    assert found == MadeCall("refund", "order 12")


@pytest.mark.parametrize("call", [{"args": {}}, {"tool": ""}, {"tool": 5}, "refund", {"tool": "a", "outcome": "maybe"}])
def test_a_call_that_names_no_tool_or_no_known_outcome_is_refused(call: Any) -> None:
    found, problems = read_made_call(call)
    assert found is None
    assert problems


@pytest.mark.spec("DS-124", "BC-7")
def test_every_problem_of_every_row_is_named_at_once() -> None:
    read = of_file(
        "case_id,answer,cost_usd,tool_calls\n"
        "no-id,a,,\n"
        ",b,,\n"
        f'{CASE},c,cheap,"[{{""tool"": 1}}]"\n'
        f'{CASE},d,-1,"{{"\n'
        f"{CASE},e,,,surplus\n"
    )
    assert places(read.problems) == [
        (2, "case_id"),
        (3, "case_id"),
        (4, "tool_calls.0.name"),
        (4, "cost_usd"),
        (5, "tool_calls"),
        (5, "cost_usd"),
        (6, ""),
    ]


@pytest.mark.spec("DS-131", "DS-D40")
@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("case_id,text", "answer"),
        ("answer", "case_id"),
        ("case_id,answer,Answer", "Answer"),
        ("case_id,answer,answer", "answer"),
        ("case_id,answer,tokens", "tokens"),
        ("id;text", "file"),
    ],
)
def test_a_header_that_lacks_a_column_or_names_an_unknown_one_is_refused(header: str, field: str) -> None:
    with pytest.raises(UnreadableFile) as refused:
        of_file(f"{header}\nx\n")
    assert field in {problem.field for problem in refused.value.problems}


def test_an_unknown_key_of_a_line_is_named_with_the_one_that_was_meant() -> None:
    read = of_file(f'{{"case_id": "{CASE}", "anwser": "a"}}\n', "answers.jsonl")
    assert places(read.problems) == [(1, "anwser"), (1, "answer")]
    assert read.problems[0].values == {"near": "answer"}


def test_an_entry_of_a_request_needs_a_case_and_an_answer() -> None:
    read = read_answers(
        sent_rows([{}, "text", {"case_id": CASE, "answer": None}, {"case_id": CASE, "answer": 5}]), most=9
    )
    assert places(read.problems) == [(0, "case_id"), (0, "answer"), (1, ""), (2, "answer"), (3, "answer")]


@pytest.mark.spec("BC-10")
def test_what_cannot_be_stored_is_refused() -> None:
    values = [
        {"case_id": CASE, "answer": "a\x00b"},
        {"case_id": CASE, "answer": "a", "tool_calls": [{"tool": "t", "args": {"a": "\ud800"}}]},
        {"case_id": CASE, "answer": "a" * (LIMITS.message_characters + 1)},
        {"case_id": CASE, "answer": "a", "tool_calls": [{"tool": "t"}] * (LIMITS.stored_answers_calls + 1)},
        {"case_id": CASE, "answer": "a", "cost_usd": float("inf")},
        {"case_id": CASE, "answer": "a", "latency_ms": True},
    ]
    read = read_answers(sent_rows(values), most=9)
    fields = ["answer", "tool_calls.0.arguments", "answer", "tool_calls", "cost_usd", "latency_ms"]
    assert places(read.problems) == list(enumerate(fields))


def test_rows_beyond_the_most_are_counted_and_not_read() -> None:
    read = read_answers(sent_rows([{"case_id": str(uuid4()), "answer": "a"}] * 5), most=3)
    assert (len(read.answers), read.count) == (3, 5)


@pytest.mark.spec("BC-17")
def test_a_row_that_is_wrong_elsewhere_still_names_its_case() -> None:
    case = str(uuid4())
    read = read_answers(sent_rows([{"case_id": case}, {"case_id": "x"}, {"case_id": case, "answer": "a"}]), most=9)
    assert [(str(one.case_id), one.place) for one in read.wrong] == [(case, 0)]
