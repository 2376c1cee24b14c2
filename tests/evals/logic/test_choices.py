"""The body of a start: types, ranges, unknown keys, each problem at its field."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.limits import LIMITS
from evals.logic.choices import EvalChoices, read_amount, read_choices

AGENT = "0190d4c2-5f3e-7aaa-8bbb-0123456789ab"
OTHER = "0190d4c2-5f3e-7aaa-8bbb-0123456789ac"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
FIELDS = [
    "agent", "agent_version", "dataset_version", "tags", "case_ids", "not_passed_in", "repeats", "baseline",
    "confirm_changes", "max_cost_usd", "label", "allow_unscored",
]  # fmt: skip


def fields_wrong(**body: Any) -> list[str]:
    choices, problems = read_choices({"agent": AGENT, **body})
    assert (choices is None) is bool(problems)
    return [problem.field for problem in problems]


def read(**body: Any) -> EvalChoices:
    choices, problems = read_choices({"agent": AGENT, **body})
    assert problems == []
    assert choices is not None
    return choices


@pytest.mark.spec("EV-D1", "EV-D3")
def test_only_the_agent_is_needed() -> None:
    assert read() == EvalChoices(AGENT, None, None, (), (), None, 1, "auto", True, None, "", False)


@pytest.mark.spec("EV-D3")
def test_every_field_is_read() -> None:
    body = {
        "agent": AGENT.upper(), "agent_version": 3, "dataset_version": 7, "tags": [" Smoke ", "smoke", "refunds"],
        "case_ids": [OTHER, AGENT, OTHER], "not_passed_in": OTHER, "repeats": 5, "baseline": OTHER,
        "confirm_changes": False, "max_cost_usd": 2.5, "label": "  before  the move\n", "allow_unscored": True,
    }  # fmt: skip
    assert list(body) == FIELDS
    choices = read(**body)
    assert choices == EvalChoices(
        AGENT,
        3,
        7,
        ("Smoke", "refunds"),
        (OTHER, AGENT),
        OTHER,
        5,
        OTHER,
        False,
        Decimal("2.50"),
        "before the move",
        True,
    )
    assert EvalChoices.of_json(choices.as_json()) == choices


@pytest.mark.spec("EV-D40")
@pytest.mark.parametrize(("sent", "kept"), [("auto", "auto"), (None, None), (OTHER, OTHER)])
def test_baseline_is_an_id_auto_or_nothing(sent: str | None, kept: str | None) -> None:
    assert read(baseline=sent).baseline == kept


@pytest.mark.spec("EV-D3", "EV-D5")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"agent": None}, "agent"),
        ({"agent": "somebody"}, "agent"),
        ({"agent": 5}, "agent"),
        ({"agent_version": 0}, "agent_version"),
        ({"agent_version": "1"}, "agent_version"),
        ({"agent_version": 1.0}, "agent_version"),
        ({"dataset_version": True}, "dataset_version"),
        ({"dataset_version": 2**31}, "dataset_version"),
        ({"tags": "smoke"}, "tags"),
        ({"tags": ["smoke", 5]}, "tags.1"),
        ({"tags": [""]}, "tags.0"),
        ({"case_ids": [AGENT, "x"]}, "case_ids.1"),
        ({"case_ids": []}, "case_ids"),
        ({"case_ids": [AGENT] * (LIMITS.cases + 1)}, "case_ids"),
        ({"not_passed_in": "latest"}, "not_passed_in"),
        ({"repeats": 0}, "repeats"),
        ({"repeats": 6}, "repeats"),
        ({"repeats": None}, "repeats"),
        ({"repeats": True}, "repeats"),
        ({"baseline": "AUTO"}, "baseline"),
        ({"baseline": False}, "baseline"),
        ({"confirm_changes": "yes"}, "confirm_changes"),
        ({"confirm_changes": 1}, "confirm_changes"),
        ({"max_cost_usd": 0}, "max_cost_usd"),
        ({"max_cost_usd": -1}, "max_cost_usd"),
        ({"max_cost_usd": 100_000_000}, "max_cost_usd"),
        ({"label": "x" * 101}, "label"),
        ({"label": "a\x00b"}, "label"),
        ({"label": 5}, "label"),
        ({"allow_unscored": None}, "allow_unscored"),
        ({"max_cost": 5}, "max_cost"),
    ],
)
def test_what_is_wrong_is_named_at_its_field(body: dict[str, Any], field: str) -> None:
    assert fields_wrong(**body) == [field]


def test_everything_wrong_is_named_at_once() -> None:
    choices, problems = read_choices({"repeats": 9, "tags": [1], "nonsense": 1})
    assert choices is None
    assert [problem.field for problem in problems] == ["nonsense", "tags.0", "repeats", "agent"]


@pytest.mark.parametrize("body", [None, [], "agent", 5])
def test_a_body_that_is_no_object_is_refused(body: Any) -> None:
    assert [problem.field for problem in read_choices(body)[1]] == [""]


@pytest.mark.spec("EV-D5")
@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (0.1, "0.10"),
        ("12.50", "12.50"),
        (1, "1.00"),
        (10, "10.00"),
        ("0.0000000001", "1E-10"),
        (99_999_999, "99999999.00"),
    ],
)
def test_amount_keeps_the_digits_that_were_sent(sent: Any, kept: str) -> None:
    amount, problems = read_amount(sent)
    assert (amount, problems) == (Decimal(kept), [])
    assert amount.as_tuple().exponent <= -2


@pytest.mark.parametrize(
    "sent", ["", " 1", "1e3", "NaN", "Infinity", "-1", "٣", "1_000", "0.00000000001", True, [], 1e300]
)
def test_what_is_no_amount_is_refused(sent: Any) -> None:
    amount, problems = read_amount(sent)
    assert amount is None
    assert len(problems) == 1


@given(st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6))
def test_no_body_is_too_odd_to_be_read(body: dict[str, Any]) -> None:
    choices, problems = read_choices(body)
    assert (choices is None) is bool(problems)
    assert all(problem.text % problem.values for problem in problems)
