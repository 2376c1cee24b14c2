"""The criteria that notes on a score became, as one reader may know them, and what the dialog for one more needs."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict, NotAllowed
from core.offers import NOT_OFFERED, OFFERED, Offer
from datasets.models import CaseRevision, Dataset
from review.logic.wording import as_question
from review.models import MadeCriterion, Scope
from review.queries.decisions import decision_of
from scoring.logic.findings import Evaluator
from scoring.models import Score
from scoring.queries.grading_material import answers_of
from scoring.queries.score_rows import sight_of
from scoring.queries.settings import settings_of


@dataclass(frozen=True)
class ShownCriterion:
    """One criterion that was made (RV-D39). `criterion` is empty for who may not read the answer, or once cleared.

    `version` is the dataset's version that brought a criterion of the case; None for one of every case.
    """

    scope: str
    criterion: str
    version: int | None
    by_name: str
    at: datetime

    @property
    def is_of_case(self) -> bool:
        return self.scope == Scope.CASE

    @property
    def scope_label(self) -> str:
        return str(Scope(self.scope).label)


@dataclass(frozen=True)
class ToMake:
    """What the dialog begins with: the note, and what to know of the case and of the dataset's grading.

    `question` is the note worded as a question, empty where no form of words fits. `case_revision` is None for a case
    that is gone, for which only the rubric is offered (RV-D26). `judge_is_off` and `checks_are_off` say why a criterion
    of the case would not be graded (SC-D11), `lacks_model` that the judge has no model to ask.
    """

    note: str
    question: str
    case_revision: int | None
    judge_is_off: bool
    checks_are_off: bool
    rubric_judge_is_off: bool
    lacks_model: bool

    def is_graded(self, scope: str) -> bool:
        """Whether a criterion of this scope is graded as things stand."""
        if scope == Scope.CASE and (self.judge_is_off or self.checks_are_off):
            return False
        return not self.lacks_model


def criteria_of(actor: Actor, score: Score) -> list[ShownCriterion]:
    """What the notes on a score that the actor sees became, the oldest first; one query, where none is two at most."""
    rows = list(MadeCriterion.objects.filter(score=score).select_related("by__user").order_by("at", "pk"))
    is_readable = bool(rows) and sight_of(actor, [score]).may_read(score)
    return [
        ShownCriterion(
            scope=one.scope,
            criterion=one.criterion if is_readable else "",
            version=one.version,
            by_name=str(one.by) if one.by else _("Erased person"),
            at=one.at,
        )
        for one in rows
    ]


def offer_to_make(actor: Actor, score: Score) -> Offer:
    """Whether a criterion may be made of a note on the score: by who edits the dataset and reads the answer (RV-62)."""
    dataset = Dataset(pk=score.dataset_id)
    if score.answer_removed_at or not sight_of(actor, [score]).may_read(score):
        return NOT_OFFERED
    return OFFERED if access.may(actor, Permission.DATASETS_EDIT, dataset) else NOT_OFFERED


def refuse_to_make(actor: Actor, score: Score) -> None:
    """Raise `NotAllowed` where the answer is hidden from the actor, `Conflict` `answer_removed` once it was erased."""
    if not sight_of(actor, [score]).may_read(score):
        raise NotAllowed(_("This answer is hidden from you, and so are the notes about it."))
    if score.answer_removed_at:
        raise Conflict("answer_removed", _("The answer was removed, and the notes about it with it."))


def to_make(actor: Actor, dataset: Dataset, score: Score) -> ToMake:
    """What the dialog of a score begins with."""
    decision = decision_of(actor, score)
    note = decision.note if decision else ""
    settings = settings_of(dataset).settings
    return ToMake(
        note=note,
        question=as_question(note),
        case_revision=_revision_of_now(dataset, score.case_id),
        judge_is_off=not settings.asks_judge,
        checks_are_off=Evaluator.CHECKS not in settings.on,
        rubric_judge_is_off=Evaluator.JUDGE not in settings.on,
        lacks_model=settings.judge_agent is None and settings.judge_model is None,
    )


def offer_to_score_anew(actor: Actor, dataset: Dataset, score: Score) -> Offer:
    """Whether the answer may be graded once more, as a new score; disabled with the reason where it cannot (RV-D38)."""
    if not access.may(actor, Permission.DATASETS_RUN, dataset) or not sight_of(actor, [score]).may_read(score):
        return NOT_OFFERED
    if _revision_of_now(dataset, score.case_id) is None:
        return Offer(True, _("The case was deleted, so there is nothing to grade the answer against."))
    if score.pk not in answers_of([score.pk]):
        return Offer(True, _("The answer is no longer there as it was given, so it cannot be graded again."))
    return OFFERED


def _revision_of_now(dataset: Dataset, case_id: UUID) -> int | None:
    held = CaseRevision.objects.of_case_at(dataset, dataset.newest_version, case_id)
    return held.values_list("since", flat=True).first()
