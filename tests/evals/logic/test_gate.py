"""The gate by its limits, and the exit codes."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.problems import Problem
from evals.logic.gate import (
    NO_BASELINE,
    NONE_GRADED,
    NOTHING_COMPARED,
    ExitCode,
    GateFigures,
    GateLimits,
    gate,
    read_limits,
)
from evals.logic.results import Tally

STATES = ["completed", "failed", "cancelled", "stopped", "running"]
FIGURES = st.builds(
    GateFigures,
    st.sampled_from(STATES),
    st.builds(Tally, st.integers(0, 20), st.integers(0, 20), st.integers(0, 5)),
    st.booleans(),
    st.booleans(),
    st.integers(0, 3),
    st.integers(0, 3),
)
LIMITS = st.builds(GateLimits, st.none() | st.decimals(0, 1, places=2), st.integers(0, 3), st.integers(0, 3))


def figures(passed: int = 9, failed: int = 1, unscored: int = 0, **more: Any) -> GateFigures:
    return GateFigures(**{"state": "completed", "cases": Tally(passed, failed, unscored), **more})


def words(found: GateFigures, **limits: Any) -> list[str]:
    return [reason.in_english for reason in gate(found, GateLimits(**limits)).reasons]


@pytest.mark.spec("EV-D61")
def test_without_a_baseline_and_limits_a_graded_run_passes() -> None:
    verdict = gate(figures(passed=0, failed=10), GateLimits())
    assert (verdict.passed, verdict.reasons, verdict.exit_code) == (True, (), 0)


@pytest.mark.spec("EV-D61")
@pytest.mark.parametrize(
    ("passed", "failed", "limit", "passes"),
    [
        (9, 1, "0.9", True),
        (899, 101, "0.9", False),
        (2, 1, "0.6667", False),
        (2, 1, "0.6666", True),
        (7, 3, "0.7", True),
        (0, 1, "0", True),
        (1, 0, "1", True),
        (9_999, 1, "1", False),
    ],
)
def test_a_rate_equal_to_the_limit_passes_and_nothing_is_rounded(
    passed: int, failed: int, limit: str, passes: bool
) -> None:
    verdict = gate(figures(passed, failed), GateLimits(min_pass_rate=Decimal(limit)))
    assert verdict.passed is passes
    assert verdict.exit_code == (0 if passes else 1)


@pytest.mark.spec("EV-D61")
def test_a_rate_below_the_limit_is_told_with_its_numbers() -> None:
    assert words(figures(8, 2), min_pass_rate=Decimal("0.9")) == ["Pass rate below 0.9: 8 of 10 cases passed"]


@pytest.mark.spec("EV-D61", "EV-D50")
@pytest.mark.parametrize(
    ("values", "reasons"),
    [
        ({"regressed_confirmed": 1}, ["Confirmed regressions: 1, allowed: 0"]),
        ({"regressed_unconfirmed": 4}, []),
        ({"regressed_unconfirmed": 4, "confirms": False}, ["Regressions, not confirmed: 4, allowed: 0"]),
        ({"regressed_confirmed": 1, "has_baseline": False}, []),
    ],
)
def test_confirmed_regressions_count_and_others_only_without_confirming(
    values: dict[str, Any], reasons: list[str]
) -> None:
    assert words(figures(**{"has_baseline": True, **values})) == reasons


@pytest.mark.spec("EV-D61")
def test_as_many_as_allowed_pass() -> None:
    found = figures(unscored=2, has_baseline=True, regressed_confirmed=3)
    assert gate(found, GateLimits(max_regressions=3, max_unscored=2)).passed
    assert not gate(found, GateLimits(max_regressions=2, max_unscored=2)).passed
    assert not gate(found, GateLimits(max_regressions=3, max_unscored=1)).passed


@pytest.mark.spec("EV-D61")
@pytest.mark.parametrize("unscored", [0, 5])
def test_a_run_with_no_graded_case_never_passes(unscored: int) -> None:
    verdict = gate(figures(0, 0, unscored), GateLimits(max_unscored=9))
    assert (verdict.passed, verdict.reasons, verdict.exit_code) == (False, (NONE_GRADED,), ExitCode.FAILED)


@pytest.mark.spec("EV-D62")
@pytest.mark.parametrize("state", ["failed", "cancelled", "stopped"])
@pytest.mark.parametrize("found", [{}, {"failed": 9}, {"unscored": 9}])
def test_a_run_that_did_not_complete_is_3_whatever_the_limits_say(state: str, found: dict[str, int]) -> None:
    verdict = gate(figures(**found, state=state), GateLimits(min_pass_rate=Decimal("0.9"), max_unscored=3))
    assert (verdict.passed, verdict.exit_code) == (False, 3)
    assert "did not complete" in verdict.reasons[0].in_english


@pytest.mark.spec("EV-D62")
@pytest.mark.parametrize(
    ("found", "code"),
    [
        ({"unscored": 1}, 3),
        ({"unscored": 1, "failed": 9}, 1),
        ({"failed": 9}, 1),
        ({"passed": 0, "failed": 0, "unscored": 4}, 3),
        ({"unscored": 1, "has_baseline": True, "regressed_confirmed": 1}, 1),
    ],
)
def test_too_many_unscored_are_3_only_where_all_other_limits_are_met(found: dict[str, Any], code: int) -> None:
    assert gate(figures(**found), GateLimits(min_pass_rate=Decimal("0.8"))).exit_code == code


@pytest.mark.spec("EV-D61", "EV-D62")
@given(FIGURES, LIMITS)
def test_it_passes_just_without_a_reason_and_looser_limits_never_fail_more(
    found: GateFigures, limits: GateLimits
) -> None:
    verdict = gate(found, limits)
    assert verdict.passed is (not verdict.reasons) is (verdict.exit_code == 0)
    assert all(reason.in_english for reason in verdict.reasons)
    looser = GateLimits(None, limits.max_regressions + 1, limits.max_unscored + 1)
    assert len(gate(found, looser).reasons) <= len(verdict.reasons)


@pytest.mark.spec("EV-D61")
def test_limits_are_read_from_an_address() -> None:
    sent = {"min_pass_rate": "0.90", "max_regressions": "3", "max_unscored": "0"}
    assert read_limits(sent) == (GateLimits(Decimal("0.90"), 3, 0), [])
    assert read_limits({}) == (GateLimits(), [])


@pytest.mark.parametrize(
    ("name", "value"),
    [("min_pass_rate", value) for value in ("", "1.01", "-0.1", "90%", "NaN", "1e-1", "0,9", "٠")]
    + [("max_regressions", value) for value in ("", "-1", "1.5", "x", "٣", "9" * 20)]
    + [("max_unscored", "many"), ("min_rate", "0.9")],
)
def test_a_limit_that_is_none_is_refused_at_its_name(name: str, value: str) -> None:
    limits, problems = read_limits({name: value})
    assert limits is None
    assert [problem.field for problem in problems if isinstance(problem, Problem)] == [name]


@pytest.mark.spec("EV-D61", "EV-D40")
def test_where_nothing_was_compared_a_pass_says_so_and_stays_a_pass() -> None:
    nothing = figures(has_baseline=True, compared=0)
    assert gate(nothing, GateLimits()).passed
    assert nothing.note == NOTHING_COMPARED
    assert figures().note == NO_BASELINE
    assert figures(has_baseline=True, compared=1).note is None
