"""Putting scores into the queue by its rules, whoever sends them; two at once never give one place twice (RV-D21)."""

from collections.abc import Hashable, Mapping, Sequence
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Member
from evals.models import EvalRun
from review.logic.queue import Candidate, Queue, Sending
from review.models import NO_AGENT, Entry, Leaving, Stay
from scoring.logic.findings import EvaluatorResult
from scoring.logic.outcome import outcome_of
from scoring.models import Score

# A place that somebody else took at the same moment is looked at again; nobody loses as often as this by chance.
TRIES = 5
# What the rules do not look at, or rarely.
LONG = ("score__answer", "score__calls", "score__results", "score__unreadable_reply", "score__pin")


def enter(
    scores: Sequence[Score], entries: Mapping[UUID, Entry], *, by: Member | None = None, run: EvalRun | None = None
) -> list[Sending]:
    """Send scores of one dataset, in their order, each with why it enters; what became of each.

    Call it inside a transaction. Raises `IntegrityError` where others take the same places again and again.
    """
    keys = _agent_keys(scores)
    candidates = [_candidate(score, keys[score.pk]) for score in scores]
    by_id = {score.pk: score for score in scores}
    for left in reversed(range(TRIES)):
        queue = Queue(hold_places(scores))
        found = queue.send_all(candidates)
        try:
            with transaction.atomic():
                leave([one.id for one in queue.displaced], Leaving.DISPLACED)
                _put([(by_id[one.id], keys[one.id]) for one in queue.entering], entries, by, run)
        except IntegrityError:
            if not left:
                raise
        else:
            return found
    raise AssertionError("unreachable")  # pragma: no cover


def leave(score_ids: Sequence[UUID], leaving: Leaving) -> set[UUID]:
    """Take scores that wait out of the queue; those of them that did wait. Call it inside a transaction."""
    rows = Stay.objects.select_for_update(no_key=True, of=("self",)).filter(left_at=None, score__in=score_ids)
    stays = dict(rows.order_by("pk").values_list("pk", "score_id"))
    Stay.objects.filter(pk__in=stays).update(left_at=timezone.now(), leaving=leaving)
    return set(stays.values())


def hold_places(scores: Sequence[Score]) -> dict[Hashable, Candidate]:
    """Who holds the places of these scores and of others of their cases, locked until the transaction ends.

    Whoever goes on to both take out and put in calls it first for all of them, so that two such never wait for each
    other.
    """
    rows = Stay.objects.select_for_update(no_key=True, of=("self",)).filter(
        left_at=None, dataset__in={score.dataset_id for score in scores}, case__in={score.case_id for score in scores}
    )
    held = rows.select_related("score").defer(*LONG).order_by("pk")
    return {(stay.case_id, stay.agent_key): _candidate(stay.score, stay.agent_key) for stay in held}


def _put(
    scores: Sequence[tuple[Score, UUID]], entries: Mapping[UUID, Entry], by: Member | None, run: EvalRun | None
) -> None:
    # In one order for everybody, so that two who put the same places wait for each other in one direction only.
    ordered = sorted(scores, key=lambda one: (one[0].case_id, one[1]))
    Stay.objects.bulk_create(
        Stay(
            score=score, dataset_id=score.dataset_id, case_id=score.case_id, agent_key=key,
            entry=entries[score.pk], by=by, eval_run=run,
        )
        for score, key in ordered
    )  # fmt: skip


def _agent_keys(scores: Sequence[Score]) -> dict[UUID, UUID]:
    """Which agent answered, by the score's id; of an agent that is gone, the one its earlier stays name."""
    gone = [score.pk for score in scores if score.agent_id is None and score.has_agent]
    stays = Stay.objects.filter(score__in=gone).order_by("entered_at", "pk") if gone else Stay.objects.none()
    known = dict(stays.values_list("score_id", "agent_key"))
    return {score.pk: score.agent_id or known.get(score.pk, NO_AGENT) for score in scores}


def _candidate(score: Score, agent_key: UUID) -> Candidate:
    return Candidate(
        id=score.pk,
        place=(score.case_id, agent_key),
        outcome=score.outcome or _outcome_before(score),
        graded_at=score.graded_at or score.created_at,
        is_decided=bool(score.decided),
    )


def _outcome_before(score: Score) -> str:
    """Of a score that is being graded again: what it was, so that meanwhile no lesser answer takes its place (RV-45).

    Its earlier results are still there until the new ones are stored.
    """
    results = [EvaluatorResult.of_json(result) for result in score.results]
    return outcome_of(results).outcome.value if results else ""
