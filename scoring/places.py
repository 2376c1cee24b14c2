"""The places that later apps fill: what test runs and the review know of scores and of stored answers.

Those apps stand above scores, so they register in `AppConfig.ready()` and who shows scores asks here: which test run a
score is part of (EV-16, EV-46), whether it waits for review (RV-D4), whether its judge is calibrated (RV-D34). While
nobody did, scores are of no test run and wait for nobody.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import QuerySet

if TYPE_CHECKING:
    from datetime import datetime

    from accounts.actor import Actor
    from core.paging import Segment
    from datasets.models import Dataset
    from scoring.logic.findings import Reason
    from scoring.models import AnswerSet, Score
    from scoring.queries.scores import ScoreFilter


@dataclass(frozen=True)
class TestRunLink:
    """One test run as its reader may know it: what it is called, where it is shown, and since when it is there."""

    id: UUID
    label: str
    href: str
    at: "datetime | None" = None

    __test__ = False  # no test, whatever its name begins with


@dataclass(frozen=True)
class TestRuns:
    """What the app of test runs tells of scores.

    `of_scores` names the run of each score that is part of one, by the score's id, and nothing to who may not open
    runs. `newest` are those of a dataset that the filter offers, the newest first, with those that are chosen already.
    `only` leaves the scores of these runs, and none where the actor may not open them.
    """

    of_scores: Callable[["Actor", Sequence["Score"]], Mapping[UUID, TestRunLink]]
    newest: Callable[["Actor", "Dataset", Collection[UUID]], list[TestRunLink]]
    only: Callable[["Actor", "Dataset", "QuerySet[Score]", Collection[UUID]], "QuerySet[Score]"]

    __test__ = False


_found: dict[str, TestRuns] = {}


def set_test_runs(runs: TestRuns) -> None:
    """Say what is known of test runs; registering again replaces it."""
    _found["runs"] = runs


def runs_of_scores(actor: "Actor", scores: Sequence["Score"]) -> Mapping[UUID, TestRunLink]:
    """The test run of each of these scores of one dataset that is part of one; a few queries for all."""
    return _found["runs"].of_scores(actor, scores) if _found and scores else {}


def newest_runs(actor: "Actor", dataset: "Dataset", besides: Collection[UUID] = ()) -> list[TestRunLink]:
    """The test runs that a filter of scores offers."""
    return _found["runs"].newest(actor, dataset, besides) if _found else []


def scores_of_runs(
    actor: "Actor", dataset: "Dataset", scores: "QuerySet[Score]", run_ids: Collection[UUID]
) -> "QuerySet[Score]":
    """Those of the scores that are part of one of the runs."""
    return _found["runs"].only(actor, dataset, scores, run_ids) if _found else scores.none()


@dataclass(frozen=True)
class SetFollower:
    """What follows from a set of stored answers.

    `graded` gets the id of a set when grading of it has ended, perhaps for now: it asks whether answers still wait,
    and may be told of one set several times. `before_deletion` runs in the transaction that deletes the set. `run_of`
    is the set's test run for who may open it, None while there is none.
    """

    graded: Callable[[UUID], object]
    before_deletion: Callable[["AnswerSet"], None]
    run_of: Callable[["Actor", "AnswerSet"], TestRunLink | None]


_followers: dict[str, SetFollower] = {}


def follow_sets(name: str, follower: SetFollower) -> None:
    """Have sets of stored answers followed; registering a name again replaces it."""
    _followers[name] = follower


def followers_of_sets() -> list[SetFollower]:
    """Everything that is to be told of sets."""
    return list(_followers.values())


def run_of_set(actor: "Actor", answer_set: "AnswerSet") -> TestRunLink | None:
    """The test run that the set is."""
    return next((run for one in followers_of_sets() if (run := one.run_of(actor, answer_set))), None)


# Called with the ids of scores in the transaction in which something happened to them.
ScoresFollower = Callable[[Sequence[UUID]], object]

_of_gradings: dict[str, ScoresFollower] = {}
_of_clearings: dict[str, ScoresFollower] = {}


def follow_grading(name: str, follower: ScoresFollower) -> None:
    """Have somebody told of scores whose results scoring's own jobs store, first ones and those of scoring again.

    The first grading of a test run's answers is the run's own and tells nobody. A name again replaces it.
    """
    _of_gradings[name] = follower


def follow_clearing(name: str, follower: ScoresFollower) -> None:
    """Have what another app keeps of an answer's words cleared together with the score's own (SC-D61, ACC-48)."""
    _of_clearings[name] = follower


def tell_of_grading(score_ids: Sequence[UUID]) -> None:
    """Tell of scores that were graded; call it in the transaction that stored them."""
    for follower in _of_gradings.values() if score_ids else ():
        follower(score_ids)


def tell_of_clearing(score_ids: Sequence[UUID]) -> None:
    """Tell of scores whose words go; call it in the transaction that clears them."""
    for follower in _of_clearings.values() if score_ids else ():
        follower(score_ids)


@dataclass(frozen=True)
class Reviews:
    """What the review of answers tells of scores.

    `waiting` are those of the ids whose scores wait for a person. `segments` are the scores of a dataset that a filter
    lets through, as a list in the order that is wished.
    """

    waiting: Callable[[Sequence[UUID]], Collection[UUID]]
    segments: Callable[..., "list[Segment[Score]]"]


_reviews: dict[str, Reviews] = {}


def set_reviews(reviews: Reviews) -> None:
    """Say what is known of the review; registering again replaces it."""
    _reviews["of"] = reviews


def waiting_in_review(score_ids: Sequence[UUID]) -> Collection[UUID]:
    """Those of the scores that wait for a person."""
    return _reviews["of"].waiting(score_ids) if _reviews and score_ids else ()


def segments_in_review(actor: "Actor", dataset: "Dataset", wanted: "ScoreFilter", sort: str) -> "list[Segment[Score]]":
    """The scores that the filter lets through, in the order of the review; none while nobody knows it."""
    return _reviews["of"].segments(actor, dataset, wanted, sort=sort) if _reviews else []


@dataclass(frozen=True)
class Calibration:
    """How far people's decisions bear out what a judge says in one configuration (RV-D34).

    `decisions` are those that could be compared and `agreeing` of them agree. `kappa` and its 95% `interval` are None
    where there are too few of them for a number, or where they cannot be computed. `why` says in words what
    `is_calibrated` rests on, `href` is the page that shows it.
    """

    is_calibrated: bool
    decisions: int
    agreeing: int
    kappa: float | None
    interval: tuple[float, float] | None
    why: "Reason"
    href: str


_calibrations: dict[str, Callable[[UUID, str], Calibration]] = {}


def set_calibration(of: Callable[[UUID, str], Calibration]) -> None:
    """Say how a dataset's judge is found to be calibrated: called with the dataset's id and the hash of a pin."""
    _calibrations["of"] = of


def calibration_of(dataset_id: UUID, pin_hash: str) -> Calibration | None:
    """Of the judge with this pin; None where no judge takes part, or while nobody says."""
    return _calibrations["of"](dataset_id, pin_hash) if _calibrations and pin_hash else None
