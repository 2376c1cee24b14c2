"""The score that an act is about, locked, and what the person could read of it when they saw it (RV-D15)."""

from uuid import UUID

from django.utils.translation import gettext as _

from accounts.actor import Actor
from core.errors import Conflict, NotFound
from datasets.models import Dataset
from scoring.models import Score
from scoring.queries.mask_marks import mask_mark
from scoring.queries.readable_scores import readable_score


def lock_score(dataset: Dataset, score_id: UUID) -> Score:
    """A score of the dataset, locked until the transaction ends, so that nothing about its answer is erased meanwhile.

    Raises `NotFound`.
    """
    rows = Score.objects.select_for_update(no_key=True, of=("self",)).filter(dataset=dataset, pk=score_id)
    score = rows.select_related("dataset", "agent").first()
    if score is None:
        raise NotFound
    return score


def require_mark(actor: Actor, *, score: Score, mark: str | None) -> None:
    """Raise `Conflict` `mask_changed` where the actor may read something else now; None where no page showed it."""
    if mark is not None and mark != mask_mark(readable_score(actor, score)):
        raise Conflict("mask_changed", _("What you may read of this answer has changed. Open it again."))
