"""Texts, tags, earlier turns and tool calls as they are stored (DS-D20 to DS-D25)."""

from typing import Any

import pytest

from core.limits import LIMITS
from core.reading_child import ReadingChild
from datasets.logic.drafts import CaseDraft
from datasets.logic.validation import read_case


def read(**fields: Any) -> CaseDraft:
    draft, problems = read_case({"input": "q", "reference_answer": "a", **fields}, ReadingChild())
    assert draft is not None, problems
    return draft


def places(**fields: Any) -> list[str]:
    """The fields that are wrong."""
    _draft, problems = read_case({"input": "q", "reference_answer": "a", **fields}, ReadingChild())
    assert problems
    return [problem.field for problem in problems]


def test_a_text_is_kept_as_written_but_for_line_ends() -> None:
    assert read(input="  e\u0301 \r\n b\rc\n ").input == "  e\u0301 \n b\nc\n "


@pytest.mark.spec("DS-D22")
@pytest.mark.parametrize("empty", [None, "", " \n\t\u3000"])
def test_null_and_blank_texts_are_the_same_empty_value(empty: str | None) -> None:
    assert read(note=empty, counter_example=empty) == CaseDraft("q", reference_answer="a")


@pytest.mark.spec("DS-D21")
@pytest.mark.parametrize("bad", ["a\x00b", "\ud800", "x\udfff"])
@pytest.mark.parametrize("field", ["input", "reference_answer", "counter_example", "note"])
def test_what_no_database_can_hold_is_refused(field: str, bad: str) -> None:
    assert places(**{field: bad}) == [field]


@pytest.mark.spec("DS-D21")
def test_it_is_refused_inside_turns_arguments_and_checks_too() -> None:
    assert places(history=[{"role": "user", "content": "\x00"}]) == ["history.0.content"]
    assert places(expected_tool_calls=[{"tool": "t", "args": {"a": [{"\x00": 1}]}}]) == ["expected_tool_calls.0.args"]
    assert places(expected_tool_calls=[{"tool": "t", "args": {"a": "\ud800"}}]) == ["expected_tool_calls.0.args"]
    assert places(checks=[{"type": "contains", "value": "\x00"}]) == ["checks.0.value"]
    assert places(tags=["\x00"]) == ["tags.0"]


@pytest.mark.spec("DS-D20")
@pytest.mark.parametrize(
    ("field", "most"), [("input", 50_000), ("reference_answer", 50_000), ("counter_example", 50_000), ("note", 2_000)]
)
def test_a_text_may_be_exactly_as_long_as_its_limit(field: str, most: int) -> None:
    assert len(getattr(read(**{field: "ł" * most}), field)) == most
    assert places(**{field: "ł" * (most + 1)}) == [field]


@pytest.mark.spec("DS-46", "DS-48", "DS-31")
def test_a_case_needs_a_question_and_an_expectation() -> None:
    assert places(input=" ") == ["input"]
    assert places(reference_answer=None) == ["reference_answer"]
    draft, problems = read_case({"reference_answer": "a"}, ReadingChild())
    assert draft is None
    assert [problem.field for problem in problems] == ["input"]


@pytest.mark.spec("DS-46")
@pytest.mark.parametrize(
    "expectation",
    [
        {"counter_example": "no"},
        {"expected_tool_calls": [{"tool": "t"}]},
        {"checks": [{"type": "max_latency_ms", "value": 1}]},
    ],
)
def test_each_of_the_four_expectations_is_enough(expectation: dict[str, Any]) -> None:
    assert read(reference_answer=None, **expectation).expectations == tuple(expectation)


@pytest.mark.spec("DS-D47")
@pytest.mark.parametrize("marker", ["[hidden: text from a conversation]", "[erased]"])
def test_a_marker_is_no_question(marker: str) -> None:
    assert places(input=marker) == ["input"]
    assert places(input=f" {marker}\n") == ["input"]
    assert read(input=f"What does {marker} mean?").input


@pytest.mark.spec("DS-D47", "ACC-D16", "ACC-D30")
def test_the_marker_of_a_hidden_text_is_no_text_at_all_and_that_of_an_erased_one_may_stay_elsewhere() -> None:
    hidden, erased = "[hidden: text from a conversation]", "[erased]"
    turns = {"history": [{"role": "user", "content": hidden}]}
    for name in ("reference_answer", "counter_example", "note"):
        assert places(**{name: hidden}) == [name]
        assert getattr(read(**{name: erased}), name) == erased
    assert places(**turns) == ["history.0.content"]
    assert read(history=[{"role": "user", "content": erased}]).history[0]["content"] == erased


@pytest.mark.spec("DS-D24")
def test_tags_are_trimmed_and_repeats_dropped_ignoring_case() -> None:
    assert read(tags=[" Billing", "billing ", "b", "ŻÓŁTY", "żółty"]).tags == ("Billing", "b", "ŻÓŁTY")


@pytest.mark.spec("DS-D24", "DS-D20")
def test_a_tag_has_no_comma_and_its_bounds() -> None:
    assert places(tags=["a,b"]) == ["tags.0"]
    assert places(tags=["x" * 51, " ", 5]) == ["tags.0", "tags.1", "tags.2"]
    assert places(tags=[f"t{number}" for number in range(21)]) == ["tags"]
    assert len(read(tags=[f"t{number}" for number in range(20)]).tags) == 20


@pytest.mark.spec("DS-D23")
def test_turns_have_a_role_and_content_and_nothing_else() -> None:
    turns = [{"role": "user", "content": "a"}, {"content": "b", "role": "user"}]
    assert read(history=turns).history == (
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b"},
    )
    assert places(history=[{"role": "system", "content": " "}, "x", {"role": "user", "content": "a", "name": "n"}]) == [
        "history.0.role",
        "history.0.content",
        "history.1",
        "history.2.name",
    ]
    assert places(history=turns * 51) == ["history"]


@pytest.mark.spec("DS-D25", "DS-140")
def test_a_call_has_a_tool_and_arguments_in_order() -> None:
    call = {"args": {"b": {"d": 1, "c": [{"z": 1, "y": 1.0}]}, "a": "12"}, "tool": "find"}
    (kept,) = read(expected_tool_calls=[call]).expected_tool_calls
    assert list(kept) == ["tool", "args"]
    assert str(kept["args"]) == "{'a': '12', 'b': {'c': [{'y': 1.0, 'z': 1}], 'd': 1}}"
    assert read(expected_tool_calls=[{"tool": "find"}]).expected_tool_calls == ({"tool": "find", "args": {}},)


@pytest.mark.spec("DS-D20")
def test_arguments_have_their_bounds() -> None:
    def nested(levels: int) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for _level in range(levels - 1):
            value = {"a": value}
        return value

    assert read(expected_tool_calls=[{"tool": "t", "args": nested(32)}])
    assert places(expected_tool_calls=[{"tool": "t", "args": nested(33)}]) == ["expected_tool_calls.0.args"]
    assert places(expected_tool_calls=[{"tool": "t", "args": {"a": "x" * 20_000}}]) == ["expected_tool_calls.0.args"]
    assert places(expected_tool_calls=[{"tool": "t", "args": {"a": float("inf")}}]) == ["expected_tool_calls.0.args"]
    assert places(expected_tool_calls=[{"tool": "t", "args": []}, {"tool": " "}, {"name": "t"}]) == [
        "expected_tool_calls.0.args",
        "expected_tool_calls.1.tool",
        "expected_tool_calls.2.name",
        "expected_tool_calls.2.tool",
    ]
    assert places(expected_tool_calls=[{"tool": "t"}] * 51) == ["expected_tool_calls"]


@pytest.mark.spec("DS-38", "DS-133")
def test_the_order_mode_is_one_of_three() -> None:
    assert [read(order_mode=mode).order_mode for mode in ("any", "in_order", "exact", "", None)] == [
        "any",
        "in_order",
        "exact",
        "any",
        "any",
    ]
    assert places(order_mode="Any") == ["order_mode"]
    assert places(order_mode=["any"]) == ["order_mode"]


@pytest.mark.spec("DS-D44", "DS-D2")
def test_wrong_types_and_unknown_names_are_each_named() -> None:
    assert places(input=5, note=["x"], tags="a", history={}, colour=1) == ["input", "note", "tags", "history", "colour"]
    assert LIMITS.tags == 20
