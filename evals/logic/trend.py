"""The pass rates of an agent's test runs, one after another, as they are drawn (EV-D36, EV-38).

The horizontal axis is the order of the runs and not time: people start several in an hour and then none for weeks. A
line joins neighbours that were graded alike; rates of different configurations are not joined.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from evals.logic.results import Tally

# So many fit beside each other on a phone; of more, the newest are drawn.
MOST_DRAWN = 30
# So many versions are written under the axis at the most.
MOST_MARKS = 6
HEIGHT = 120  # pixels between nought and everything
GRID = (100, 75, 50, 25, 0)


class Since(StrEnum):
    """How a run compares with the one before it."""

    SAME = "same"
    OTHER_CASES = "other_cases"
    GRADED_DIFFERENTLY = "graded_differently"


@dataclass(frozen=True)
class TrendRun:
    """`grading` and `cases` are equal in two runs that were graded alike, and that asked the same cases equally often.

    `mark` is what is written under the axis where it changes: the version of the agent.
    """

    tally: Tally
    grading: str
    cases: str
    mark: str = ""


@dataclass(frozen=True)
class Point:
    """One run: `place` is its index in what was given. `x` is a share of the width in percent, the others are pixels.

    `is_graded_alike` as the newest run; `since` is None for the first. `mark` is empty where nothing is written.
    """

    place: int
    x: str
    y: int
    top: int
    bottom: int
    is_graded_alike: bool
    since: Since | None
    mark: str = ""

    @property
    def tall(self) -> int:
        return max(2, self.bottom - self.top)


@dataclass(frozen=True)
class Line:
    """From one point to the next; broken where the cases that were asked differ."""

    start: Point
    end: Point
    is_broken: bool


@dataclass(frozen=True)
class Trend:
    """`borders` are the places, in percent of the width, where grading changed."""

    points: tuple[Point, ...] = ()
    lines: tuple[Line, ...] = ()
    borders: tuple[str, ...] = ()
    height: int = HEIGHT

    @property
    def grid(self) -> list[tuple[int, int]]:
        """The percent of each line across the plot, and where it is."""
        return [(percent, _down(percent / 100)) for percent in GRID]

    @property
    def has_other_grading(self) -> bool:
        return any(not point.is_graded_alike for point in self.points)

    @property
    def has_other_cases(self) -> bool:
        return any(line.is_broken for line in self.lines)


def since(before: TrendRun | None, after: TrendRun) -> Since | None:
    """How `after` compares with the run before it; None where there is none."""
    if before is None:
        return None
    if before.grading != after.grading:
        return Since.GRADED_DIFFERENTLY
    return Since.SAME if before.cases == after.cases else Since.OTHER_CASES


def drawn(runs: Sequence[TrendRun]) -> Trend:
    """The newest runs that have a rate, oldest first, as they are drawn; a run without a graded case has no point."""
    rated = [(place, run) for place, run in enumerate(runs) if run.tally.graded][-MOST_DRAWN:]
    if not rated:
        return Trend()
    marks = _marks([run.mark for _place, run in rated])
    newest = rated[-1][1]
    points: list[Point] = []
    for index, (place, run) in enumerate(rated):
        low, high = run.tally.interval or (0.0, 0.0)
        before = rated[index - 1][1] if index else None
        points.append(
            Point(
                place=place,
                x=_across(index + 0.5, len(rated)),
                y=_down(run.tally.rate or 0.0),
                top=_down(high),
                bottom=_down(low),
                is_graded_alike=run.grading == newest.grading,
                since=since(before, run),
                mark=marks[index],
            )
        )
    pairs = list(pairwise(points))
    lines = [Line(a, b, b.since is Since.OTHER_CASES) for a, b in pairs if b.since is not Since.GRADED_DIFFERENTLY]
    borders = [index for index, point in enumerate(points) if point.since is Since.GRADED_DIFFERENTLY]
    return Trend(tuple(points), tuple(lines), tuple(_across(index, len(rated)) for index in borders))


def _across(index: float, number: int) -> str:
    """Text, because a template would write the number in the reader's language, which no drawing understands."""
    return f"{100 * index / number:.3f}"


def _down(share: float) -> int:
    return round((1 - share) * HEIGHT)


def _marks(marks: Sequence[str]) -> list[str]:
    """Each where it changes; of too many only some, the newest among them."""
    changed = [index for index, mark in enumerate(marks) if mark and (index == 0 or mark != marks[index - 1])]
    every = -(-len(changed) // MOST_MARKS) if changed else 1
    kept = set(changed[::-1][::every])
    return [mark if index in kept else "" for index, mark in enumerate(marks)]
