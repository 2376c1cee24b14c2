"""Expected tool calls (SC-84 to SC-92, SC-D9, SC-D31 to SC-D35, BC-34, BC-35)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.logic.answers import MadeCall
from scoring.logic.calls import call_fits, grade_calls
from scoring.logic.findings import Finding, Origin
from tests.scoring.logic.graded import said

Json = dict[str, Any]
MODES = ("any", "in_order", "exact")


def expected(*tools: str) -> list[Json]:
    return [{"tool": tool, "args": {}} for tool in tools]


def made(*tools: str) -> list[MadeCall]:
    return [MadeCall(tool, {}) for tool in tools]


def passes(case_calls: list[Json], mode: str, calls: list[MadeCall]) -> bool:
    return grade_calls(case_calls, mode, calls)[0].verdict == "pass"


def words(case_calls: list[Json], mode: str, calls: list[MadeCall]) -> str:
    return said(grade_calls(case_calls, mode, calls)[0])


@pytest.mark.spec("SC-86", "SC-87", "SC-88", "SC-D32", "BC-34")
@pytest.mark.parametrize(
    ("case_calls", "calls", "by_mode"),
    [
        (("search", "book"), ("book", "search"), (True, False, False)),
        (("search", "book"), ("search", "log", "book"), (True, True, False)),
        (("search", "book"), ("search",), (False, False, False)),
        (("search", "book"), ("search", "search", "book"), (True, True, False)),
        (("search", "book"), (), (False, False, False)),
        (("search", "search"), ("search",), (False, False, False)),
        (("search", "book"), ("search", "book"), (True, True, True)),
        (("search", "book"), ("search", "book", "book"), (True, True, False)),
        (("search",), ("Search",), (False, False, False)),
    ],
)
def test_the_modes_take_what_the_specification_says(
    case_calls: tuple[str, ...], calls: tuple[str, ...], by_mode: tuple[bool, ...]
) -> None:
    assert tuple(passes(expected(*case_calls), mode, made(*calls)) for mode in MODES) == by_mode


@pytest.mark.spec("SC-D34")
@pytest.mark.parametrize("mode", MODES)
def test_a_case_without_expected_calls_is_not_asked_about(mode: str) -> None:
    with pytest.raises(ValueError, match="nothing to compare"):
        grade_calls([], mode, made("search"))


@pytest.mark.spec("SC-84", "SC-85", "SC-D31", "BC-35")
@pytest.mark.parametrize(
    ("args", "arguments", "fits"),
    [
        ({}, {}, True),
        ({}, {"x": 1}, True),
        ({"n": 5}, {"n": 5.0}, True),
        ({"n": 5}, {"n": "5"}, False),
        ({"l": [12, 15]}, {"l": [12.0, 15.0]}, True),
        ({"l": [1, 2]}, {"l": [2, 1]}, False),
        # BC-35 would take a part of a nested object; SC-D31 says nested objects whole, and the specification decides.
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, False),
        ({"a": None}, {}, False),
        ({"a": None}, {"a": None}, True),
        ({}, {"a": None}, True),
        ({"a": 1}, {"a": 1, "b": 2}, True),
        ({"a": 1, "b": 2}, {"a": 1}, False),
        ({"a": True}, {"a": 1}, False),
        ({"caf\u00e9": "caf\u00e9"}, {"cafe\u0301": "cafe\u0301"}, True),
        ({"a": 1}, "a=1", False),
        ({}, "a=1", True),
        ({"a": 1}, None, False),
        ({"a": 1}, [{"a": 1}], False),
    ],
)
def test_every_argument_that_the_case_names_is_compared_and_no_other(args: Json, arguments: Any, fits: bool) -> None:
    assert call_fits(MadeCall("t", args), MadeCall("t", arguments)) is fits
    assert not call_fits(MadeCall("t", args), MadeCall("other", arguments))


@pytest.mark.spec("SC-D32")
def test_a_call_is_given_where_it_is_needed_most() -> None:
    case_calls = [{"tool": "f", "args": {}}, {"tool": "f", "args": {"a": 1}}]
    assert passes(case_calls, "any", [MadeCall("f", {"a": 1}), MadeCall("f", {})])
    assert not passes(case_calls, "any", [MadeCall("f", {"a": 1})])
    assert not passes(case_calls, "exact", [MadeCall("f", {"a": 1}), MadeCall("f", {})])


@pytest.mark.spec("SC-90", "SC-91", "SC-92", "SC-D33")
def test_blocked_and_failed_calls_were_made_under_the_name_that_the_run_recorded() -> None:
    calls = [MadeCall("issue_refund", {}, "blocked"), MadeCall("log", {}, "failed")]
    assert passes(expected("issue_refund", "log"), "exact", calls)
    assert not passes(expected("refund"), "any", calls)


@pytest.mark.spec("SC-D9")
@pytest.mark.parametrize(
    ("mode", "case_calls", "calls", "number"),
    [
        ("any", ("a", "b", "c", "d"), ("d", "a", "x"), 2 / 4),
        ("any", ("a",), ("a", "a", "a"), 1),
        ("in_order", ("a", "b", "c"), ("a", "c", "b"), 2 / 3),
        ("in_order", ("a", "b"), ("b", "a"), 1 / 2),
        ("in_order", ("a", "b", "c"), ("x", "a", "c"), 2 / 3),
        ("exact", ("a", "b"), ("a", "b", "c", "d"), 2 / 4),
        ("exact", ("a", "b", "c"), ("a",), 1 / 3),
        ("exact", ("a", "b"), ("b", "a"), 0),
        ("exact", ("a",), (), 0),
        ("exact", ("a", "b"), ("a", "b"), 1),
    ],
)
def test_the_number_is_the_share_that_matched(
    mode: str, case_calls: tuple[str, ...], calls: tuple[str, ...], number: float
) -> None:
    assert grade_calls(expected(*case_calls), mode, made(*calls))[1] == number


@pytest.mark.spec("SC-89", "SC-D35")
@pytest.mark.parametrize(
    ("mode", "case_calls", "calls", "reason"),
    [
        ("any", ("a", "b", "c"), ("b", "x"), "Missing: `a`, `c`"),
        ("in_order", ("a", "b"), ("b", "a", "x"), "Same calls, different order"),
        ("in_order", ("a", "b"), ("b",), "Missing: `a`"),
        ("exact", ("a", "b"), ("b", "a"), "Same calls, different order"),
        ("exact", ("a",), ("a", "search"), "Not expected: `search`"),
        ("exact", ("a", "b"), ("a", "search"), "Missing: `b`; Not expected: `search`"),
        ("exact", ("a",), (), "Missing: `a`"),
        ("any", ("a",), ("a", "b"), "Every expected call was made"),
    ],
)
def test_the_reason_names_what_was_missing_what_was_not_expected_or_the_order(
    mode: str, case_calls: tuple[str, ...], calls: tuple[str, ...], reason: str
) -> None:
    assert words(expected(*case_calls), mode, made(*calls)) == reason


@pytest.mark.spec("SC-D35")
def test_calls_are_written_with_their_arguments() -> None:
    case_calls = [{"tool": "refund", "args": {"order": 12}}, {"tool": "note", "args": {"text": "é", "to": None}}]
    assert words(case_calls, "any", []) == 'Missing: `refund(order=12)`, `note(text="é", to=null)`'
    calls = [MadeCall("refund", {"order": 12}), MadeCall("note", "to me")]
    assert words(case_calls, "exact", calls) == ('Missing: `note(text="é", to=null)`; Not expected: `note("to me")`')
    long = words([{"tool": "t", "args": {"a": "x" * 300}}], "any", [])
    assert long == f'Missing: `t(a="{"x" * 198}…)`'


@pytest.mark.spec("SC-D33")
@pytest.mark.parametrize(
    ("mode", "case_calls", "calls", "reason"),
    [
        ("any", ("a",), ("a",), "Every expected call was made; failed: `a`"),
        ("any", ("a", "b"), ("a",), "Missing: `b`; failed: `a`"),
        ("exact", ("a",), ("a", "x"), "Not expected: `x` (failed); failed: `a`"),
        ("exact", ("a", "b"), ("a", "x"), "Missing: `b`; Not expected: `x` (failed); failed: `a`"),
        ("in_order", ("b", "a"), ("a", "b"), "Same calls, different order; failed: `b`"),
        ("exact", ("b",), ("x",), "Missing: `b`; Not expected: `x` (failed)"),
    ],
)
def test_failed_calls_are_marked(mode: str, case_calls: tuple[str, ...], calls: tuple[str, ...], reason: str) -> None:
    failed = [MadeCall(call.tool, call.arguments, "failed") for call in made(*calls)]
    assert words(expected(*case_calls), mode, failed) == reason


@pytest.mark.spec("SC-D35")
@pytest.mark.parametrize("mode", MODES)
def test_the_reason_has_at_most_two_thousand_characters(mode: str) -> None:
    many = [{"tool": f"tool_{number}", "args": {"a": "x" * 150}} for number in range(50)]
    calls = [MadeCall(f"other_{number}", {"a": "y" * 150}, "failed") for number in range(50)]
    calls += [MadeCall(call["tool"], call["args"], "failed") for call in many[::2]]
    text = words(many, mode, calls)
    assert len(text) <= 2_000
    assert text.count("…") == text.count(":") - text.count("::") if mode == "exact" else "…" in text


@pytest.mark.spec("SC-D35")
def test_the_lists_of_a_reason_share_its_room() -> None:
    def one_call(length: int) -> list[Json]:
        return [{"tool": "t" * (length - 2), "args": {}}]

    room = 1_800
    assert words(one_call(room), "any", []) == f"Missing: `{'t' * (room - 2)}`"
    assert words(one_call(room + 1), "any", []) == f"Missing: `{'t' * (room - 2)}…"
    failed = MadeCall("f" * (room // 2 - 1), {}, "failed")
    both = words([*one_call(room // 2), {"tool": failed.tool, "args": {}}], "any", [failed])
    assert both == f"Missing: `{'t' * (room // 2 - 2)}`; failed: `{'f' * (room // 2 - 2)}…"
    made_alone = MadeCall("f" * (room - 2), {}, "failed")
    assert words([{"tool": made_alone.tool, "args": {}}], "any", [made_alone]) == (
        f"Every expected call was made; failed: `{made_alone.tool}`"
    )


@pytest.mark.spec("SC-D35")
def test_arguments_that_are_no_object_are_written_and_none_are_not() -> None:
    nothing: tuple[Any, ...] = ({}, "", None)
    for arguments in nothing:
        assert words(expected("a"), "exact", [MadeCall("a", {}), MadeCall("b", arguments)]) == "Not expected: `b`"
    full = [{"tool": "t", "args": {"a": "x" * 198}}]
    assert words(full, "any", []) == f'Missing: `t(a="{"x" * 198}")`'


@pytest.mark.spec("SC-D31", "BC-35")
def test_an_argument_is_found_beside_the_expected_one_however_its_accents_are_written() -> None:
    calls = [MadeCall("t", {"cafe\u0301": 2})]
    found = pairs(grade_calls([{"tool": "t", "args": {"caf\u00e9": 1}}], "any", calls)[0])
    assert found[0]["arguments"] == [{"name": "caf\u00e9", "expected": "1", "made": "2"}]


@pytest.mark.spec("SC-87")
def test_in_order_the_first_call_may_be_the_first_expected() -> None:
    assert passes(expected("a", "b"), "in_order", made("a", "b"))
    assert not passes(expected("a", "a"), "in_order", made("a"))


def pairs(finding: Finding) -> list[Json]:
    return finding.about["pairs"]


@pytest.mark.spec("BC-35")
def test_calls_of_one_name_with_other_arguments_stand_side_by_side() -> None:
    case_calls = [{"tool": "refund", "args": {"order": 12, "full": True}}, {"tool": "log", "args": {}}]
    calls = [
        MadeCall("refund", {"x": 1}),
        MadeCall("refund", {"order": 13, "full": True}, "failed"),
        MadeCall("log", {}),
    ]
    finding, _number = grade_calls(case_calls, "any", calls)
    assert (finding.id, finding.origin, finding.about["order_mode"]) == ("tool-calls", Origin.CALLS, "any")
    assert pairs(finding) == [
        {"tool": "refund", "outcome": "failed", "arguments": [{"name": "order", "expected": "12", "made": "13"}]}
    ]
    finding, _number = grade_calls(case_calls, "exact", calls[:1])
    assert pairs(finding)[0]["arguments"] == [
        {"name": "order", "expected": "12", "made": None},
        {"name": "full", "expected": "true", "made": None},
    ]
    assert pairs(grade_calls(case_calls, "any", [MadeCall("log", {})])[0]) == []
    assert (
        pairs(grade_calls(case_calls[:1], "any", [MadeCall("refund", "all")])[0])[0]["arguments"][0]["made"] == '"all"'
    )


def test_each_call_stands_beside_one_other_and_ten_pairs_are_kept() -> None:
    case_calls = [{"tool": "t", "args": {"n": number}} for number in range(12)]
    calls = [MadeCall("t", {"n": -1 - number}) for number in range(20)]
    found = pairs(grade_calls(case_calls, "any", calls)[0])
    assert [pair["arguments"][0]["made"] for pair in found] == [str(-1 - number) for number in range(10)]
    assert len(pairs(grade_calls(case_calls, "any", calls[:2])[0])) == 2


@pytest.mark.spec("SC-149")
def test_credentials_in_arguments_are_hidden() -> None:
    key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    finding, _number = grade_calls(
        [{"tool": "pay", "args": {"amount": 1}}], "exact", [MadeCall("pay", {"key": key, "amount": key})]
    )
    assert key not in json.dumps(finding.as_json())
    assert finding.about["pairs"][0]["arguments"][0]["made"] != "1"


def test_arguments_nested_without_end_are_compared_and_not_shown() -> None:
    deep: Any = {}
    for _level in range(5_000):
        deep = {"a": deep}
    finding, _number = grade_calls([{"tool": "t", "args": {"a": 1}}], "exact", [MadeCall("t", deep)])
    assert said(finding) == 'Missing: `t(a=1)`; Not expected: `t("…")`'
    assert pairs(finding)[0]["arguments"] == [{"name": "a", "expected": "1", "made": '"…"'}]


names = st.sampled_from("abc")


@pytest.mark.spec("SC-86", "SC-87", "SC-88")
@given(st.lists(names, min_size=1, max_size=5), st.lists(names, max_size=6))
def test_what_passes_in_a_strict_mode_passes_in_the_looser_ones(case_calls: list[str], calls: list[str]) -> None:
    by_mode = {mode: grade_calls(expected(*case_calls), mode, made(*calls)) for mode in MODES}
    assert (by_mode["exact"][0].verdict == "pass") == (case_calls == calls)
    remaining = iter(calls)
    assert (by_mode["in_order"][0].verdict == "pass") == all(tool in remaining for tool in case_calls)
    assert (by_mode["any"][0].verdict == "pass") == all(calls.count(tool) >= case_calls.count(tool) for tool in "abc")
    for finding, number in by_mode.values():
        assert 0 <= number <= 1
        assert (number == 1) == (finding.verdict == "pass")
