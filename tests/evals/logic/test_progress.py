"""How far a run is, and what is left of it."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.logic.progress import Progress, from_counts, progress_of, seconds_left
from evals.logic.results import AttemptResult, Sum, Tally


@pytest.mark.spec("EV-D18")
def test_progress_counts_each_pass_by_itself() -> None:
    attempts = [
        AttemptResult(1, "done", outcome="pass", cost=Decimal("0.5"), was_asked=True),
        AttemptResult(1, "done", outcome="fail"),
        AttemptResult(1, "done", outcome="unscored"),
        AttemptResult(1, "error"),
        AttemptResult(1, "cancelled"),
        AttemptResult(1, "answered"),
        AttemptResult(1, "grading"),
        AttemptResult(1, "answering"),
        AttemptResult(1, "pending"),
        AttemptResult(2, "done", is_confirming=True, outcome="pass"),
    ]
    found = progress_of(attempts)
    assert found == Progress(9, 5, 3, 1, 1, Tally(1, 1, 3), Sum(Decimal("0.5")))
    assert (found.ended, found.left, found.share) == (5, 4, 5 / 9)
    assert progress_of(attempts, confirming=True) == Progress(1, 1, 1, 0, 0, Tally(1, 0, 0), Sum())


def test_counts_of_a_database_say_the_same() -> None:
    states = {"done": 2, "error": 1, "pending": 3, "grading": 1}
    assert from_counts(states, Tally(2, 0, 1), Sum()) == Progress(7, 3, 2, 1, 0, Tally(2, 0, 1), Sum())


def test_a_pass_without_attempts_has_nothing_left() -> None:
    assert (progress_of([]).share, progress_of([]).left) == (1.0, 0)


@pytest.mark.spec("EV-D18")
def test_time_left_is_by_the_pace_of_the_last_twenty() -> None:
    slow = [float(at * 100) for at in range(50)]
    fast = [5_000.0 + at for at in range(20)]
    assert seconds_left([*fast, *slow], now=5_019.0, left=30) == pytest.approx(30)


@pytest.mark.spec("EV-D18")
def test_a_run_that_stands_still_takes_longer_and_longer() -> None:
    ended = [float(at) for at in range(20)]
    assert seconds_left(ended, now=19.0, left=10) == 10
    assert seconds_left(ended, now=2_000.0, left=10) == 1_000


@pytest.mark.parametrize("ended", [[], [5.0]])
def test_before_two_have_ended_nobody_knows(ended: list[float]) -> None:
    assert seconds_left(ended, now=10.0, left=5) is None
    assert seconds_left(ended, now=10.0, left=0) == 0


@pytest.mark.spec("BC-38")
@given(st.lists(st.floats(0, 1e9), max_size=40), st.floats(0, 1e9), st.integers(0, 20_000))
def test_no_clock_makes_time_negative(ended: list[float], now: float, left: int) -> None:
    found = seconds_left(ended, now, left)
    assert found is None or found >= 0
