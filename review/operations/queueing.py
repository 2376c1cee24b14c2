"""Putting scores into the queue by its rules, whoever sends them; two at once never give one place twice (RV-D21)."""

from collections.abc import Hashable, Mapping, Sequence
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import Member
from evals.models import EvalRun
from review.logic.queue import Candidate, Queue, Sending
from review.models import NO_AGENT, Entry, Leaving, Stay
from scoring.models import Score

# A place that somebody else took at the same moment is looked at again; nobody loses as often as this by chance.
TRIES = 5


def enter(
    scores: Sequence[Score], entries: Mapping[UUID, Entry], *, by: Member | None = None, run: EvalRun | None = None
) -> list[Sending]:
    """Send scores of one dataset, in their order, each with why it enters; what became of each.

    Call it inside a transaction. Raises `IntegrityError` where others take the same places again and again.
    """
    candidates = [_candidate(score) for score in scores]
    by_id = {score.pk: score for score in scores}
    for left in reversed(range(TRIES)):
        queue = Queue(_waiting(scores))
        found = queue.send_all(candidates)
        try:
            with transaction.atomic():
                _leave([one.id for one in queue.displaced], Leaving.DISPLACED)
                _put([by_id[one.id] for one in queue.entering], entries, by, run)
        except IntegrityError:
            if not left:
                raise
        else:
            return found
    raise AssertionError("unreachable")  # pragma: no cover


def leave(score_ids: Sequence[UUID], leaving: Leaving) -> set[UUID]:
    """Take scores that wait out of the queue; those of them that did wait. Call it inside a transaction."""
    return _leave(score_ids, leaving)


def _leave(score_ids: Sequence[UUID], leaving: Leaving) -> set[UUID]:
    rows = Stay.objects.select_for_update(no_key=True, of=("self",)).filter(left_at=None, score__in=score_ids)
    stays = dict(rows.order_by("pk").values_list("pk", "score_id"))
    Stay.objects.filter(pk__in=stays).update(left_at=timezone.now(), leaving=leaving)
    return set(stays.values())


def _put(scores: Sequence[Score], entries: Mapping[UUID, Entry], by: Member | None, run: EvalRun | None) -> None:
    # In one order for everybody, so that two who put the same places wait for each other in one direction only.
    ordered = sorted(scores, key=lambda score: (score.case_id, _agent_key(score)))
    Stay.objects.bulk_create(
        Stay(
            score=score, dataset_id=score.dataset_id, case_id=score.case_id, agent_key=_agent_key(score),
            entry=entries[score.pk], by=by, eval_run=run,
        )
        for score in ordered
    )  # fmt: skip


def _waiting(scores: Sequence[Score]) -> dict[Hashable, Candidate]:
    """Who holds the places of these scores, locked until the transaction ends."""
    rows = Stay.objects.select_for_update(no_key=True, of=("self",)).filter(
        left_at=None, dataset__in={score.dataset_id for score in scores}, case__in={score.case_id for score in scores}
    )
    held = rows.select_related("score").order_by("pk")
    return {(stay.case_id, stay.agent_key): _candidate(stay.score, stay.agent_key) for stay in held}


def _agent_key(score: Score) -> UUID:
    return score.agent_id or NO_AGENT


def _candidate(score: Score, agent_key: UUID | None = None) -> Candidate:
    return Candidate(
        id=score.pk,
        place=(score.case_id, agent_key or _agent_key(score)),
        outcome=score.outcome,
        graded_at=score.graded_at or score.created_at,
        is_decided=bool(score.decided),
    )
