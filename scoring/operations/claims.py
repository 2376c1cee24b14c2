"""Which worker grades which score: a score is taken up by one at a time, and found again where that one died."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import BooleanField, F, Func, Q, QuerySet
from django.utils import timezone

from core.limits import LIMITS
from scoring.models import Score, ScoreOrigin, ScoreState

# The condition of the small index of waiting scores, to the letter: SQLite takes it only where it reads it.
WAITING = Func(F("state"), template="%(expressions)s = 'waiting'", output_field=BooleanField())
# A score that nobody took up for so long was forgotten: its job is lost, or a worker handed it back.
FORGOTTEN_AFTER = timedelta(seconds=60)


@transaction.atomic
def claim_scores(score_ids: Sequence[UUID], *, claim: UUID) -> list[UUID]:
    """Take those of the scores that wait and that nobody holds; their ids. Two at once never take the same one.

    One that is held without a sign of life for `LIMITS.grading_claim_seconds` is free again.
    """
    rows = Score.objects.select_for_update(no_key=True, skip_locked=True, of=("self",)).filter(_free())
    ids = list(rows.filter(pk__among=score_ids).order_by("pk").values_list("pk", flat=True))
    taken = {"claim": claim, "claimed_at": timezone.now(), "claims": F("claims") + 1}
    Score.objects.filter(pk__among=ids).update(**taken)
    return ids


def show_life(claim: UUID) -> None:
    """Say that the worker with this claim is still at it."""
    Score.objects.filter(claim=claim, state=ScoreState.WAITING).update(claimed_at=timezone.now())


def hand_back(score_ids: Sequence[UUID], *, claim: UUID) -> None:
    """Give up scores that were taken and not begun, as if they had not been taken."""
    held = Score.objects.filter(pk__among=score_ids, claim=claim, state=ScoreState.WAITING)
    held.update(claim=None, claimed_at=None, claims=F("claims") - 1)


def lost_scores(limit: int) -> list[UUID]:
    """Scores that wait and that no worker is at, the oldest first.

    The first grading of a test run's answers is the run's own: it keeps to its limits, and knows when it was cancelled.
    """
    before = timezone.now() - FORGOTTEN_AFTER
    rows = Score.objects.filter(WAITING, _free(), created_at__lt=before)
    rows = rows.exclude(origin=ScoreOrigin.EVAL, is_pinned=True, graded_at=None)
    return list(rows.order_by("created_at").values_list("pk", flat=True)[:limit])


def held(score_ids: Sequence[UUID], *, claim: UUID) -> QuerySet[Score]:
    """Those of the scores that this worker still holds, locked until the transaction ends."""
    rows = Score.objects.select_for_update(no_key=True, of=("self",))
    return rows.filter(pk__among=score_ids, claim=claim, state=ScoreState.WAITING).order_by("pk")


def _free() -> Q:
    dead = timezone.now() - timedelta(seconds=LIMITS.grading_claim_seconds)
    return Q(state=ScoreState.WAITING) & (Q(claim=None) | Q(claimed_at__lt=dead))
