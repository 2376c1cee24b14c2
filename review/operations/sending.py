"""Sending scores to review and taking them out: by a person, all or none, and by a test run (RV-27 to RV-52)."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Invalid, Problem
from core.limits import LIMITS
from datasets.models import Dataset
from evals.models import EvalRun
from evals.places import SentToReview
from review.logic.queue import Sending
from review.models import Entry, Leaving, Stay
from review.operations.queueing import enter, leave
from scoring.models import JudgeTrouble, Score, ScoreState


class Withdrawing(StrEnum):
    """What became of a score that was taken out (RV-D23)."""

    WITHDRAWN = "withdrawn"
    NOT_WAITING = "not_waiting"
    ALREADY_DECIDED = "already_decided"


@dataclass(frozen=True)
class Moved:
    """One score of a request and what became of it."""

    score_id: UUID
    result: str


@transaction.atomic
def send_to_review(actor: Actor, *, dataset_id: UUID, score_ids: Sequence[UUID | None]) -> list[Moved]:
    """Send scores to the queue, in the order of the list; an id of None is one that no score has (RV-33 to RV-36).

    Raises `NotFound`, `NotAllowed` without `datasets:edit` on the dataset (RV-72), `Invalid` naming `score_ids` or one
    of them: then none was sent.
    """
    dataset = _dataset(actor, dataset_id)
    scores = _scores(dataset, score_ids)
    _refuse_ungraded(scores)
    results = enter(scores, {score.pk: Entry.SENT for score in scores}, by=actor.member)
    waiting = [str(score.pk) for score, result in zip(scores, results, strict=True) if result is Sending.WAITING]
    if waiting:
        audit.record(actor, "review.sent", dataset, scores=waiting)
    return [Moved(score.pk, result.value) for score, result in zip(scores, results, strict=True)]


@transaction.atomic
def withdraw_from_review(actor: Actor, *, dataset_id: UUID, score_ids: Sequence[UUID | None]) -> list[Moved]:
    """Take waiting scores out of the queue; they stay undecided scores (RV-51, RV-52). Raises as sending does."""
    dataset = _dataset(actor, dataset_id)
    scores = _scores(dataset, score_ids)
    waited = leave([score.pk for score in scores if not score.decided], Leaving.WITHDRAWN)
    if waited:
        audit.record(actor, "review.withdrawn", dataset, scores=[str(one.pk) for one in scores if one.pk in waited])
    return [Moved(score.pk, _withdrawn(score, waited).value) for score in scores]


def send_of_run(run: EvalRun, score_ids: Sequence[UUID]) -> SentToReview:
    """What a completed test run sends: confirmed regressions and answers on which the judge failed (RV-29, RV-30).

    Called in the transaction that completes the run. The answer says which did not get the place, and why.
    """
    found = Score.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=score_ids).order_by("pk")
    scores = list(found)
    entries = {score.pk: _entry_of_run(score) for score in scores}
    results = enter(scores, entries, by=None, run=run)
    outcome = {score.pk: result for score, result in zip(scores, results, strict=True)}
    return SentToReview(
        sent=sum(result is Sending.WAITING for result in results),
        not_sent={key: result.value for key, result in outcome.items() if result is not Sending.WAITING},
    )


def _entry_of_run(score: Score) -> Entry:
    return Entry.JUDGE_ERROR if score.judge_trouble == JudgeTrouble.ERROR else Entry.REGRESSION


def _dataset(actor: Actor, dataset_id: UUID) -> Dataset:
    return access.fetch(Dataset.objects.all(), actor, Permission.DATASETS_EDIT, pk=dataset_id)


def _withdrawn(score: Score, waited: set[UUID]) -> Withdrawing:
    if score.decided:
        return Withdrawing.ALREADY_DECIDED
    return Withdrawing.WITHDRAWN if score.pk in waited else Withdrawing.NOT_WAITING


def _scores(dataset: Dataset, score_ids: Sequence[UUID | None]) -> list[Score]:
    """The scores in the order asked for, locked. Raises `Invalid`, for an id of another dataset as for one of none."""
    limit = LIMITS.scores_a_review_request
    if not score_ids:
        raise Invalid.at("score_ids", _("Name at least one score."))
    if len(score_ids) > limit:
        message = _("At most %(limit)d scores at once; this has %(count)d.")
        raise Invalid.at("score_ids", message % {"limit": limit, "count": len(score_ids)})
    rows = Score.objects.select_for_update(no_key=True, of=("self",)).filter(dataset=dataset)
    found = {score.pk: score for score in rows.filter(pk__in=[one for one in score_ids if one]).order_by("pk")}
    problems, scores = [], dict[UUID, Score]()
    for place, score_id in enumerate(score_ids):
        score = found.get(score_id) if score_id else None
        if score is None:
            problems.append(Problem(f"score_ids.{place}", _("This dataset has no such score.")))
        elif score.pk in scores:
            problems.append(Problem(f"score_ids.{place}", _("This score is named twice.")))
        else:
            scores[score.pk] = score
    if problems:
        raise Invalid(problems)
    return list(scores.values())


def _refuse_ungraded(scores: Sequence[Score]) -> None:
    """A score that is being graded has nothing to look at yet; one that waits while it is graded again stays."""
    waiting = set(
        Stay.objects.filter(score__in=[score.pk for score in scores], left_at=None).values_list("score_id", flat=True)
    )
    problems = [
        Problem(f"score_ids.{place}", _("This answer is still being graded."))
        for place, score in enumerate(scores)
        if score.state == ScoreState.WAITING and score.pk not in waiting
    ]
    if problems:
        raise Invalid(problems)
