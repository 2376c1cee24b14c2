"""What grading means for the queue: results that a person is to see enter, and those that need none leave (RV-D25).

Scoring's own jobs call this in the transaction that stores results. Test runs send what they confirmed by themselves.
"""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from review.models import Entry, Leaving, Stay
from review.operations.queueing import enter, hold_places, leave
from scoring.logic.settings_changes import completed
from scoring.models import Score, ScoreOrigin, ScoreOutcome, ScoreState

LONG = ("answer", "calls", "results", "unreadable_reply", "pin", "why")
# Nobody has to look at these again once nothing is wrong; what a person sent stays for the person.
SENT_BECAUSE_NOT_PASSED = (Entry.JUDGE_ERROR, Entry.SETTING)


def follow_graded(score_ids: Sequence[UUID]) -> None:
    """Put answers from Activity into the queue as **Review by a person** said when they were asked for (RV-37, RV-48).

    Those that have been there once stay where they are: whoever took one out does not find it there again. An answer
    that waited because it had not passed, and now does, leaves. The rules of the queue decide about places; a decided
    score is never touched (RV-50).
    """
    concerned = _concerned(score_ids)
    if not concerned:
        return
    rows = Score.objects.filter(pk__in=concerned, state=ScoreState.DONE).select_related("snapshot").defer(*LONG)
    # Whoever holds one of them, which was taken over then, tells of it by himself.
    locked = rows.select_for_update(no_key=True, skip_locked=True, of=("self",))
    scores = [score for score in locked.order_by("pk") if not score.decided]
    hold_places(scores)
    stays = {stay.score_id: stay for stay in Stay.objects.filter(score__in=scores).order_by("entered_at", "pk")}
    done = [score.pk for score in scores if _needs_nobody(score, stays.get(score.pk))]
    leave(done, Leaving.WITHDRAWN)
    new = [score for score in scores if score.pk not in stays and _is_to_be_seen(score)]
    if new:
        enter(new, {score.pk: Entry.SETTING for score in new})


def _concerned(score_ids: Sequence[UUID]) -> list[UUID]:
    """Those that come from Activity or wait; of a set of stored answers none, which is asked as cheaply as can be."""
    waits = Stay.objects.filter(score=OuterRef("pk"), left_at=None)
    done = Score.objects.filter(pk__among=score_ids, state=ScoreState.DONE)
    return list(done.filter(Q(origin=ScoreOrigin.ACTIVITY) | Exists(waits)).values_list("pk", flat=True))


def _needs_nobody(score: Score, stay: Stay | None) -> bool:
    if stay is None or stay.left_at or score.outcome != ScoreOutcome.PASS:
        return False
    return stay.entry in SENT_BECAUSE_NOT_PASSED and not _is_to_be_seen(score)


def _is_to_be_seen(score: Score) -> bool:
    """By the settings that the score was made with; later ones change nothing about it (RV-D27)."""
    if score.origin != ScoreOrigin.ACTIVITY:
        return False
    setting = completed(score.snapshot.settings)["review_by_person"]
    return setting == "all" or (setting == "not_passed" and score.outcome != ScoreOutcome.PASS)
