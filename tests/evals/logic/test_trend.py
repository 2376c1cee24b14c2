"""Pass rates of test runs as they are drawn one after another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.logic.results import Tally
from evals.logic.trend import HEIGHT, MOST_DRAWN, MOST_MARKS, Since, Trend, TrendRun, drawn


def run(passed: int = 1, failed: int = 1, grading: str = "g", cases: str = "c", mark: str = "") -> TrendRun:
    return TrendRun(Tally(passed, failed), grading, cases, mark)


def test_nothing_graded_is_nothing_drawn() -> None:
    assert drawn([]) == Trend()
    assert drawn([run(0, 0), run(0, 0)]) == Trend()


@pytest.mark.spec("EV-D35", "EV-D36")
def test_a_point_stands_at_its_rate_inside_its_interval() -> None:
    (point,) = drawn([run(42, 8)]).points
    assert (point.x, point.y) == ("50.000", round(0.16 * HEIGHT))
    assert (point.top, point.bottom) == (round((1 - 0.9166) * HEIGHT), round((1 - 0.7149) * HEIGHT))
    assert point.since is None


def test_a_run_without_a_rate_has_no_point_and_keeps_the_places_of_the_others() -> None:
    assert [point.place for point in drawn([run(), run(0, 0), run()]).points] == [0, 2]


@pytest.mark.spec("EV-38")
def test_a_line_joins_what_was_graded_alike_and_is_broken_where_the_cases_differ() -> None:
    trend = drawn([run(), run(), run(cases="d"), run(cases="d", grading="h"), run(cases="d", grading="h")])
    assert [point.since for point in trend.points] == [
        None, Since.SAME, Since.OTHER_CASES, Since.GRADED_DIFFERENTLY, Since.SAME,
    ]  # fmt: skip
    assert [(line.start.place, line.end.place, line.is_broken) for line in trend.lines] == [
        (0, 1, False),
        (1, 2, True),
        (3, 4, False),
    ]
    assert trend.borders == ("60.000",)
    assert [point.is_graded_alike for point in trend.points] == [False, False, False, True, True]
    assert trend.has_other_cases
    assert trend.has_other_grading


def test_a_version_is_written_where_it_changes() -> None:
    trend = drawn([run(mark="v1"), run(mark="v1"), run(mark="v2"), run(mark=""), run(mark="v2")])
    assert [point.mark for point in trend.points] == ["v1", "", "v2", "", "v2"]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.sampled_from("ab"), st.text(max_size=2))))
def test_whatever_is_drawn_stays_inside_and_in_order(given_runs: list[tuple[int, int, str, str]]) -> None:
    runs = [run(passed, failed, grading, "c", mark) for passed, failed, grading, mark in given_runs]
    trend = drawn(runs)
    rated = [place for place, one in enumerate(runs) if one.tally.graded]
    assert [point.place for point in trend.points] == rated[-MOST_DRAWN:]
    across = [float(point.x) for point in trend.points]
    assert across == sorted(across)
    assert all(0 < x < 100 for x in across)
    assert all(0 <= point.top <= point.y <= point.bottom <= HEIGHT for point in trend.points)
    assert sum(bool(point.mark) for point in trend.points) <= MOST_MARKS
    assert len(trend.lines) + len(trend.borders) == max(0, len(trend.points) - 1)


def test_the_lines_across_are_at_quarters() -> None:
    assert drawn([run()]).grid[0] == (100, 0)
    assert drawn([run()]).grid[2] == (50, HEIGHT // 2)
    assert drawn([run()]).grid[-1] == (0, HEIGHT)
