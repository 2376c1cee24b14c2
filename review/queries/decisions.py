"""What people decided on a score, as one reader may know it, and whether it waits (RV-25, RV-53, RV-D24, RV-D30)."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.models import Member
from accounts.permissions import Permission
from core.offers import NOT_OFFERED, OFFERED, Offer
from datasets.models import Dataset
from review.models import Decision, Stay
from scoring.models import Score
from scoring.queries.score_rows import sight_of


@dataclass(frozen=True)
class ShownDecision:
    """One act on a score: a ruling, or with an empty one the withdrawal of the ruling before it.

    `revision` counts the acts from 1. `automatic` is what grading had found at that moment. `note` is empty for who may
    not read the answer; `is_readable` tells the two apart. `by` is None once that person is erased.
    """

    revision: int
    ruling: str
    automatic: str
    note: str
    by: Member | None
    at: datetime
    is_readable: bool

    @property
    def is_withdrawal(self) -> bool:
        return not self.ruling

    @property
    def overrules(self) -> bool:
        """Whether it says something else than grading did; an unscored answer had nothing to overrule."""
        return bool(self.ruling) and self.automatic in ("pass", "fail") and self.ruling != self.automatic

    @property
    def by_name(self) -> str:
        return str(self.by) if self.by else _("Erased person")


@dataclass(frozen=True)
class DecisionState:
    """What holds of a score now: `decision` while somebody's ruling stands, and the number of acts until now.

    `revision` is what the next act names (RV-D30); 0 where nobody has ruled yet.
    """

    revision: int
    decision: ShownDecision | None


def decision_state(actor: Actor, score: Score) -> DecisionState:
    """What was ruled on a score that the actor sees, and the revision that the next act names."""
    newest = _acts(score).first()
    if newest is None:
        return DecisionState(0, None)
    shown = _shown(newest, is_readable=sight_of(actor, [score]).may_read(score))
    return DecisionState(newest.number, None if shown.is_withdrawal else shown)


def decision_of(actor: Actor, score: Score) -> ShownDecision | None:
    """The decision that holds; None where nobody decided or the last decision was withdrawn."""
    return decision_state(actor, score).decision


def history_of(actor: Actor, score: Score, *, is_readable: bool | None = None) -> list[ShownDecision]:
    """Every act on the score, the newest first; `is_readable` where the caller knows whether the actor may read it."""
    if is_readable is None:
        is_readable = sight_of(actor, [score]).may_read(score)
    return [_shown(one, is_readable=is_readable) for one in _acts(score)]


def stay_of(score: Score) -> Stay | None:
    """Its stay in the review queue that lasts; None where it does not wait."""
    return Stay.objects.filter(score=score, left_at=None).select_related("by__user", "eval_run").first()


def stays_of(score: Score) -> list[Stay]:
    """Every stay in the queue, the newest first, with why it began and ended."""
    stays = Stay.objects.filter(score=score).select_related("by__user", "eval_run")
    return list(stays.order_by("-entered_at", "-pk"))


def offer_to_decide(actor: Actor, score: Score, *, is_readable: bool | None = None) -> Offer:
    """Whether the actor is offered to decide on a score that they see: who may edit the dataset and read the answer.

    Disabled with the reason where the answer was removed, because nobody can judge what is not there (RV-D29, RV-D43).
    """
    dataset = Dataset(pk=score.dataset_id)
    if is_readable is None:
        is_readable = sight_of(actor, [score]).may_read(score)
    if not is_readable or not access.may(actor, Permission.DATASETS_EDIT, dataset):
        return NOT_OFFERED
    return Offer(True, why_not_decidable(score)) if score.answer_removed_at else OFFERED


def why_not_decidable(_score: Score) -> str:
    """Why an answer whose text was removed cannot be decided any more."""
    return _("The answer was removed, so nobody can judge it any more.")


def _acts(score: Score) -> QuerySet[Decision]:
    return Decision.objects.filter(score=score).select_related("by__user").order_by("-number")


def _shown(decision: Decision, *, is_readable: bool) -> ShownDecision:
    return ShownDecision(
        revision=decision.number,
        ruling=decision.ruling,
        automatic=decision.automatic,
        note=decision.note if is_readable else "",
        by=decision.by,
        at=decision.at,
        is_readable=is_readable,
    )
