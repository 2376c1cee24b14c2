"""What a test run will cost: the arithmetic, and what is said of free, cheap and unknown prices."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.logic.usage import Prices, Usage
from evals.logic.estimates import (
    AgentUse,
    CaseSize,
    Cost,
    CostEstimate,
    CostKind,
    JudgeUse,
    RunShape,
    estimated,
)

PRICES = Prices(Decimal(1), Decimal(2))
FREE = Prices(Decimal(0), Decimal(0))
SIZES = st.builds(CaseSize, st.integers(0, 5_000), st.integers(0, 4), st.integers(0, 9_000))
ANY_PRICES = st.none() | st.builds(Prices, st.decimals(0, 50, places=3), st.decimals(0, 50, places=3))


def agent(**values: Any) -> AgentUse:
    return AgentUse(**{"model": "answers-1", "prices": PRICES, "characters": 3_600, **values})


JUDGE = JudgeUse("judges-1", PRICES)
CASES = [CaseSize(400, criteria=2, judge_characters=2_400)] * 100


@pytest.mark.spec("EV-D9")
def test_without_measures_the_rule_of_thumb_holds() -> None:
    """1,000 tokens in and 400 out of an answer; 600 of prompt, 400 of answer and 300 of reply of a grading."""
    found = estimated(CASES, agent(), JUDGE, RunShape(repeats=2))
    assert found.expected.agent.amount == 2 * 100 * (1_000 * 1 + 400 * 2) / Decimal(1_000_000)
    assert found.expected.judge.amount == 2 * 100 * (1_000 * 1 + 300 * 2) / Decimal(1_000_000)
    assert (found.cases, found.attempts, found.expected.calls) == (100, 200, 400)
    assert found.expected == found.highest


@pytest.mark.spec("EV-D9")
def test_an_agent_with_tools_calls_its_model_one_and_a_half_times() -> None:
    plain, tooled = (estimated(CASES, agent(has_tools=tools), None, RunShape()) for tools in (False, True))
    assert tooled.expected.agent.amount == plain.expected.agent.amount * Decimal("1.5")
    assert tooled.expected.calls == 150


@pytest.mark.spec("EV-D9")
def test_what_was_measured_is_taken_instead() -> None:
    measured = agent(measured=Usage(500, 0, 50), calls=Decimal(2), seconds=3.0, has_tools=True)
    found = estimated(CASES, measured, None, RunShape(at_once=4))
    assert found.expected.agent.amount == 100 * 2 * 600 / Decimal(1_000_000)
    assert found.expected.seconds == 75


@pytest.mark.spec("EV-D9", "EV-D47")
@pytest.mark.parametrize(
    ("cases", "expected", "highest"), [(100, 10, 100), (1_000, 100, 100), (2_000, 100, 100), (5, Decimal("0.5"), 5)]
)
def test_confirming_is_expected_for_a_tenth_and_at_most_for_the_limit(
    cases: int, expected: Decimal, highest: int
) -> None:
    shape = RunShape(confirms=True)
    found = estimated(CASES[:1] * cases, agent(), JUDGE, shape)
    one = Decimal("0.0034")
    assert found.expected.confirming.amount == pytest.approx(2 * expected * one)
    assert found.highest.confirming.amount == 2 * highest * one
    assert found.highest.agent == found.expected.agent


@pytest.mark.spec("EV-D9")
def test_the_dearest_cases_make_the_highest_cost() -> None:
    sizes = [CaseSize(0), CaseSize(400_000), CaseSize(0)]
    found = estimated(sizes, agent(characters=0), None, RunShape(confirms=True, confirm_most=1))
    assert found.highest.confirming.amount == 2 * (100_000 + 800) / Decimal(1_000_000)


@pytest.mark.spec("EV-D9")
def test_a_case_without_criteria_is_not_sent_to_the_judge() -> None:
    found = estimated([CaseSize(400, criteria=0, judge_characters=999)], agent(), JUDGE, RunShape())
    assert (found.expected.judge.kind, found.expected.calls) == (CostKind.NO_COST, 1)


@pytest.mark.spec("EV-D10", "EV-18")
@pytest.mark.parametrize(
    ("cost", "kind", "words"),
    [
        (Cost(), CostKind.NO_COST, "no cost"),
        (Cost(Decimal("0.0000001")), CostKind.BELOW_A_CENT, "less than $0.01"),
        (Cost(Decimal("0.009999")), CostKind.BELOW_A_CENT, "less than $0.01"),
        (Cost(Decimal("0.01")), CostKind.AMOUNT, "$0.01"),
        (Cost(Decimal("12.3")), CostKind.AMOUNT, "$12.30"),
        (Cost(Decimal(3), ("a", "b")), CostKind.UNKNOWN, "unknown: the price of a, b is missing"),
    ],
)
def test_a_cost_is_said_as_it_is(cost: Cost, kind: CostKind, words: str) -> None:
    assert (cost.kind, cost.words.in_english) == (kind, words)


@pytest.mark.spec("EV-D10")
def test_a_missing_price_makes_its_part_and_the_total_unknown_and_never_nought() -> None:
    found = estimated(CASES, agent(prices=FREE), JudgeUse("judges-1", None), RunShape(confirms=True)).expected
    assert found.agent.kind is CostKind.NO_COST
    assert [part.unpriced for part in (found.judge, found.confirming, found.total)] == [("judges-1",)] * 3
    assert found.as_json()["judge"]["amount"] is None


@pytest.mark.spec("EV-D10")
def test_free_models_are_said_to_cost_nothing() -> None:
    found = estimated(CASES, agent(prices=FREE), JudgeUse("judges-1", FREE), RunShape(confirms=True))
    assert found.highest.total.kind is CostKind.NO_COST


def test_answers_that_were_brought_along_cost_their_grading_alone() -> None:
    found = estimated(CASES, None, JUDGE, RunShape(confirms=True))
    assert (found.expected.agent, found.highest.confirming, found.expected.calls) == (Cost(), Cost(), 100)


def test_no_case_costs_nothing() -> None:
    assert estimated([], agent(), JUDGE, RunShape(confirms=True)).highest.total == Cost()


@pytest.mark.spec("EV-D9", "EV-D11")
@given(
    st.lists(SIZES, max_size=30),
    ANY_PRICES,
    ANY_PRICES,
    st.booleans(),
    st.integers(1, 5),
    st.booleans(),
    st.integers(0, 20),
)
def test_highest_is_at_least_what_is_expected_and_both_are_kept_as_they_are(
    sizes: list[CaseSize],
    mine: Prices | None,
    judges: Prices | None,
    tools: bool,
    repeats: int,
    confirms: bool,
    most: int,
) -> None:
    shape = RunShape(repeats, 4, confirms, 2, most)
    found = estimated(sizes, agent(prices=mine, has_tools=tools), JudgeUse("j", judges), shape)
    assert found.highest.total.amount >= found.expected.total.amount * Decimal("0.999999999999")
    assert found.highest.calls >= found.expected.calls
    stored = found.as_json()
    assert CostEstimate.of_json(stored).as_json() == stored
