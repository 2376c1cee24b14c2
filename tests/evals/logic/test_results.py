"""Outcomes of attempts and cases, rates, costs and latencies."""

from decimal import Decimal
from statistics import median, quantiles
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.logic.results import (
    BEING_GRADED,
    CANCELLED,
    NOT_ANSWERED,
    SCORE_GONE,
    AttemptResult,
    Latency,
    Sum,
    Tally,
    Tokens,
    case_result,
    latency,
    models_seen,
    quantile,
    result_of,
    spending,
    tally,
    tokens,
)
from scoring.logic.findings import Reason

OUTCOMES = st.lists(st.sampled_from(["pass", "fail", "unscored", ""]), max_size=5)


def attempt(**values: Any) -> AttemptResult:
    return AttemptResult(**{"number": 1, "state": "done", **values})


@pytest.mark.spec("EV-D33")
@pytest.mark.parametrize(
    ("outcomes", "result"),
    [
        (["pass"], "pass"),
        (["fail"], "fail"),
        (["unscored"], "unscored"),
        (["pass", "pass", "fail"], "pass"),
        (["pass", "fail", "fail"], "fail"),
        (["pass", "fail"], "fail"),
        (["pass", "fail", "unscored"], "fail"),
        (["pass", "unscored", "unscored"], "pass"),
        (["unscored", "unscored"], "unscored"),
        (["", "pass"], "pass"),
        ([], "unscored"),
    ],
)
def test_the_majority_of_attempts_with_a_verdict_decides(outcomes: list[str], result: str) -> None:
    assert case_result(outcomes) == result


@pytest.mark.spec("EV-D33")
@given(OUTCOMES)
def test_a_case_passes_just_where_more_attempts_pass_than_fail(outcomes: list[str]) -> None:
    assert (case_result(outcomes) == "pass") is (outcomes.count("pass") > outcomes.count("fail"))
    assert (case_result(outcomes) == "unscored") is not bool({"pass", "fail"} & set(outcomes))


@pytest.mark.spec("EV-D33")
def test_confirming_attempts_do_not_count_for_the_result() -> None:
    attempts = [attempt(outcome="fail"), attempt(outcome="pass", is_confirming=True)]
    assert result_of([*attempts, attempts[1]]) == "fail"


@pytest.mark.spec("RV-54", "EV-D33")
@pytest.mark.parametrize("outcome", ["pass", "fail", "unscored"])
@pytest.mark.parametrize("decided", ["pass", "fail"])
def test_a_decision_wins_over_what_grading_found(outcome: str, decided: str) -> None:
    assert attempt(outcome=outcome, decided=decided).final_outcome == decided
    assert attempt(outcome=outcome, decided=decided).unscored_because is None


@pytest.mark.spec("EV-D19")
@pytest.mark.parametrize(
    ("values", "outcome", "because"),
    [
        ({"outcome": "pass"}, "pass", None),
        ({"outcome": "unscored", "why": Reason("No verdict")}, "unscored", Reason("No verdict")),
        ({"state": "error", "why": Reason("Refused")}, "unscored", NOT_ANSWERED),
        ({"state": "cancelled"}, "unscored", CANCELLED),
        ({"has_score": False}, "unscored", SCORE_GONE),
        ({"outcome": ""}, "unscored", BEING_GRADED),
        ({"state": "pending"}, "", None),
        ({"state": "answering"}, "", None),
        ({"state": "grading", "outcome": "unscored"}, "", None),
    ],
)
def test_what_ended_without_a_verdict_is_unscored_with_its_cause(
    values: dict[str, Any], outcome: str, because: Reason | None
) -> None:
    assert attempt(**values).final_outcome == outcome
    assert attempt(**values).unscored_because == because


@pytest.mark.spec("EV-D35", "EV-D36")
def test_unscored_cases_are_beside_the_rate_and_not_in_it() -> None:
    counted = tally(["pass"] * 42 + ["fail"] * 8 + ["unscored"] * 7)
    assert counted == Tally(42, 8, 7)
    assert (counted.cases, counted.graded, counted.rate) == (57, 50, 0.84)
    assert counted.interval == pytest.approx((0.7149, 0.9166), abs=0.00005)


@pytest.mark.spec("EV-D35")
@pytest.mark.parametrize("unscored", [0, 3])
def test_with_none_graded_there_is_no_rate(unscored: int) -> None:
    assert Tally(0, 0, unscored).rate is None
    assert Tally(0, 0, unscored).interval is None


def test_tallies_are_added() -> None:
    assert Tally(1, 2, 3) + Tally(10, 20, 30) == Tally(11, 22, 33)


@pytest.mark.spec("EV-D38")
def test_cost_is_split_into_agent_judge_and_confirming() -> None:
    found = spending(
        [
            attempt(cost=Decimal("0.10"), judge_cost=Decimal("0.02"), was_asked=True, judge_was_asked=True),
            attempt(cost=Decimal("0.20"), was_asked=True),
            attempt(
                cost=Decimal("0.30"),
                judge_cost=Decimal("0.04"),
                is_confirming=True,
                was_asked=True,
                judge_was_asked=True,
            ),
        ]
    )
    assert (found.agent, found.judge, found.confirming) == (
        Sum(Decimal("0.30")),
        Sum(Decimal("0.02")),
        Sum(Decimal("0.34")),
    )
    assert found.total == Sum(Decimal("0.66"))


@pytest.mark.spec("EV-D38")
@pytest.mark.parametrize(
    ("values", "part"),
    [
        ({"was_asked": True}, "agent"),
        ({"cost": Decimal(0), "was_asked": True, "judge_was_asked": True}, "judge"),
        ({"was_asked": True, "is_confirming": True}, "confirming"),
    ],
)
def test_a_cost_is_at_least_where_a_price_is_unknown(values: dict[str, Any], part: str) -> None:
    found = spending([attempt(cost=Decimal(1), was_asked=True), attempt(**values)])
    assert getattr(found, part).is_at_least
    assert found.total.is_at_least
    assert found.total.amount == 1


def test_what_was_never_asked_has_no_unknown_cost() -> None:
    assert spending([attempt(state="pending"), attempt(state="cancelled")]).total == Sum(Decimal(0))


@pytest.mark.spec("BC-38")
def test_money_is_added_without_rounding() -> None:
    assert spending([attempt(cost=Decimal("0.0001"))] * 10_000).total.amount == 1


@pytest.mark.spec("EV-D38")
def test_tokens_are_those_of_all_attempts() -> None:
    found = [attempt(input_tokens=10, output_tokens=2), attempt(is_confirming=True, input_tokens=5), attempt()]
    assert tokens(found) == Tokens(15, 2)


@pytest.mark.spec("EV-D38")
def test_latency_is_that_of_first_attempts_that_were_answered() -> None:
    found = [attempt(seconds=float(value)) for value in range(21)]
    beside = [attempt(seconds=1_000.0, is_confirming=True), attempt(seconds=None, state="error")]
    assert latency([*beside, *reversed(found)]) == Latency(10, 19, 20, 21)


@pytest.mark.spec("BC-38", "BC-28")
def test_no_latency_is_none_and_nought_is_one() -> None:
    assert latency([attempt(seconds=None)]) == Latency(None, None, None, 0)
    assert latency([attempt(seconds=0.0)]) == Latency(0, 0, 0, 1)


@given(st.lists(st.floats(0, 1e6), min_size=2, max_size=60))
def test_quantiles_are_those_of_the_standard_library(values: list[float]) -> None:
    ordered = sorted(values)
    assert quantile(ordered, 0.5) == pytest.approx(median(ordered))
    assert quantile(ordered, 0.95) == pytest.approx(quantiles(ordered, n=20, method="inclusive")[18])
    assert ordered[0] <= quantile(ordered, 0.95) <= ordered[-1] or quantile(ordered, 0.95) == pytest.approx(ordered[-1])


@pytest.mark.spec("EV-D52")
def test_every_model_that_answered_is_named_once() -> None:
    assert models_seen([attempt(model="b"), attempt(model="a"), attempt(model="b"), attempt()]) == ("a", "b")
