"""The answer that waits for review after this one, in the order of the table that the reader sees (RV-D10)."""

from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from accounts.actor import Actor
from datasets.models import Dataset
from review.models import Stay
from review.queries.review_pages import waiting_among
from scoring.models import Score
from scoring.queries.scores import ScoreFilter, scores_of


def next_waiting(
    actor: Actor, dataset: Dataset, wanted: ScoreFilter, *, score_id: UUID, is_waiting_first: bool
) -> UUID | None:
    """The next one that waits and that the filter lets through, after the last one the first again; None for no other.

    The order is that of the table: by when they came into the queue where those that wait stand first, else by date.
    """
    order = "entered_at" if is_waiting_first else "created_at"
    all_waiting = waiting_among(scores_of(actor, dataset, wanted), dataset)
    waiting = all_waiting.exclude(pk=score_id).order_by(f"-{order}", "-pk")
    here = _entered_at(score_id) if is_waiting_first else _created_at(dataset, score_id)
    if here is not None:
        before: dict[str, Any] = {f"{order}__lt": here}
        found = waiting.filter(Q(**before) | Q(**{order: here}, pk__lt=score_id)).values_list("pk", flat=True).first()
        if found is not None:
            return found
    return waiting.values_list("pk", flat=True).first()


def another_waits(dataset: Dataset, score_id: UUID) -> bool:
    """Whether any other answer of the dataset waits."""
    return Stay.objects.filter(dataset=dataset, left_at=None).exclude(score=score_id).exists()


def _entered_at(score_id: UUID) -> datetime | None:
    """When it came into the queue last; None for one that never waited."""
    stays = Stay.objects.filter(score=score_id).order_by("-entered_at")
    return stays.values_list("entered_at", flat=True).first()


def _created_at(dataset: Dataset, score_id: UUID) -> datetime | None:
    return Score.objects.filter(dataset=dataset, pk=score_id).values_list("created_at", flat=True).first()
