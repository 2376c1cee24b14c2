"""Rows of the review of answers: a score as one reader knows it, whether it waits, what was decided (RV-D3, RV-D4)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from uuid import UUID

from accounts.actor import Actor
from review.models import Stay
from scoring.models import Score, ScoreOutcome
from scoring.queries.score_rows import ScoreRow, score_rows


@dataclass(frozen=True)
class ReviewRow(ScoreRow):
    """One row of the table."""

    @property
    def is_decided(self) -> bool:
        return bool(self.score.decided)

    @property
    def final_label(self) -> str:
        return str(ScoreOutcome(self.final).label) if self.final else ""

    @property
    def overruled(self) -> str:
        """What grading found where a decision says otherwise, empty where they agree."""
        return self.outcome if self.is_decided and self.outcome != self.final else ""

    @property
    def overruled_label(self) -> str:
        return str(ScoreOutcome(self.overruled).label) if self.overruled else ""


def review_rows(actor: Actor, scores: Sequence[Score]) -> list[ReviewRow]:
    """The scores of one dataset as rows of its review, in their order.

    One query more than `score_rows` takes, and none where the scores know by `waits` whether they wait.
    """
    known = {score.pk for score in scores if getattr(score, "waits", False)}
    waiting = known | in_review(score.pk for score in scores if not hasattr(score, "waits"))
    return [
        ReviewRow(**{one.name: getattr(row, one.name) for one in fields(row)} | {"is_in_review": row.id in waiting})
        for row in score_rows(actor, scores)
    ]


def in_review(score_ids: Iterable[UUID]) -> set[UUID]:
    """Those of the scores that wait in the queue."""
    ids = list(score_ids)
    found = Stay.objects.filter(score__in=ids, left_at=None) if ids else Stay.objects.none()
    return set(found.values_list("score_id", flat=True))
