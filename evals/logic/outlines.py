"""The outline of a test run: what its figures and lists need of each case, without the attempts behind it.

Of ten thousand cases most came to one of a few ends: they share one `Course`, which is counted and compared once.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from evals.logic.classes import CaseChange, CaseSide, classify, counted_alike
from evals.logic.results import Tally
from evals.logic.run_results import ItemResult, RunResults
from evals.logic.run_sums import RunSums


@dataclass(frozen=True)
class Course:
    """How the attempts at a case went. `pins` names the judges of those with a verdict, as `CaseSide` does.

    `first` and `confirming` are final outcomes in their order, empty for one that is at work; of a confirming one that
    was cancelled too.
    """

    result: str
    automatic: str
    first: tuple[str, ...]
    confirming: tuple[str, ...]
    pins: str
    is_decided: bool
    is_answered: bool

    @classmethod
    def of(cls, item: ItemResult) -> "Course":
        return cls(
            item.result,
            item.automatic_result,
            item.first_outcomes,
            item.confirming_outcomes,
            item.side.pin_hash,
            item.is_decided,
            item.is_answered,
        )

    def as_json(self) -> list[Any]:
        first, confirming = list(self.first), list(self.confirming)
        return [self.result, self.automatic, first, confirming, self.pins, self.is_decided, self.is_answered]

    @classmethod
    def of_json(cls, stored: list[Any]) -> "Course":
        result, automatic, first, confirming, *rest = stored
        return cls(result, automatic, tuple(first), tuple(confirming), *rest)


class ItemOutline(NamedTuple):
    """One case of the run."""

    id: UUID
    case_id: UUID
    revision_id: int
    position: int
    tags: tuple[str, ...]
    course: Course

    @property
    def result(self) -> str:
        return self.course.result

    @property
    def is_decided(self) -> bool:
        return self.course.is_decided

    @property
    def first_outcomes(self) -> tuple[str, ...]:
        return self.course.first

    @property
    def confirming_outcomes(self) -> tuple[str, ...]:
        return self.course.confirming

    @property
    def side(self) -> CaseSide:
        return CaseSide(self.revision_id, self.course.result, self.course.pins)


@dataclass(frozen=True)
class RunOutline:
    """All cases of a run in the order of the dataset, and what its attempts add up to."""

    items: tuple[ItemOutline, ...]
    sums: RunSums

    @cached_property
    def by_case(self) -> Mapping[UUID, ItemOutline]:
        return {item.case_id: item for item in self.items}

    @cached_property
    def courses(self) -> Mapping[Course, int]:
        """How many cases took each course."""
        found: Counter[Course] = Counter()
        for course, number in counted_alike(item.course for item in self.items):
            found[course] += number
        return found

    @cached_property
    def tally(self) -> Tally:
        """By final outcomes; the rate of EV-D35 is this one's."""
        return _tally({course: course.result for course in self.courses}, self.courses)

    @cached_property
    def automatic_tally(self) -> Tally:
        """What grading alone made of the cases (RV-D33)."""
        return _tally({course: course.automatic for course in self.courses}, self.courses)

    @property
    def decided(self) -> int:
        """How many cases a person decided (RV-D33)."""
        return sum(number for course, number in self.courses.items() if course.is_decided)

    @property
    def answered(self) -> int:
        """How many cases have an answer that was graded."""
        return sum(number for course, number in self.courses.items() if course.is_answered)


@dataclass(frozen=True)
class KeptOutline:
    """An outline without the cases themselves: the course of each by its place, as it is kept between two requests."""

    courses: Sequence[Course]
    places: Sequence[int]
    sums: RunSums

    @classmethod
    def of(cls, results: RunResults) -> "KeptOutline":
        known: dict[Course, int] = {}
        places = [known.setdefault(Course.of(item), len(known)) for item in results.items]
        return cls(tuple(known), places, results.sums)

    def as_json(self) -> dict[str, Any]:
        return {
            "courses": [course.as_json() for course in self.courses],
            "places": list(self.places),
            "sums": self.sums.as_json(),
        }

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> "KeptOutline":
        courses = [Course.of_json(course) for course in stored["courses"]]
        return cls(courses, stored["places"], RunSums.of_json(stored["sums"]))


def outline_of_results(results: RunResults) -> RunOutline:
    """The outline of results that were read whole."""
    known: dict[Course, Course] = {}
    items = []
    for one in results.items:
        course = Course.of(one)
        course = known.setdefault(course, course)
        items.append(ItemOutline(one.id, one.case_id, one.revision_id, one.position, one.tags, course))
    return RunOutline(tuple(items), results.sums)


def changes_of_outlines(before: RunOutline, after: RunOutline) -> dict[UUID, CaseChange]:
    """What became of every case of two runs, as `changes_between` finds it, each pair of courses classed once."""
    known: dict[tuple[Course, Course, bool], CaseChange] = {}
    found: dict[UUID, CaseChange] = {}
    earlier = before.by_case
    for item in after.items:
        old = earlier.get(item.case_id)
        if old is None:
            found[item.case_id] = classify(None, item.side)
            continue
        key = (old.course, item.course, old.revision_id == item.revision_id)
        change = known.get(key)
        if change is None:
            change = classify(old.side, item.side, item.first_outcomes, item.confirming_outcomes)
            known[key] = change
        found[item.case_id] = change
    removed = (item for item in before.items if item.case_id not in found)
    return found | {item.case_id: classify(item.side, None) for item in removed}


def _tally(results: Mapping[Course, str], counts: Mapping[Course, int]) -> Tally:
    found: Counter[str] = Counter()
    for course, result in results.items():
        found[result] += counts[course]
    return Tally(found["pass"], found["fail"], found["unscored"])
