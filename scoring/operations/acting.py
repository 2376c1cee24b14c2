"""For whom a worker grades: the person who asked, with their access at that moment (SC-D54)."""

from accounts import access
from accounts.actor import Actor
from accounts.models import Member
from accounts.permissions import Permission
from datasets.logic.drafts import CaseDraft
from scoring.logic.answers import GradedAnswer
from scoring.logic.causes import Cause
from scoring.logic.criteria import asked_criteria
from scoring.logic.settings import Settings
from scoring.logic.verdicts import findings_without_verdict
from scoring.operations.judging import Judged
from scoring.queries.grading_material import TakenScore
from scoring.queries.judges import judge_of


def acting_for(score: TakenScore) -> Actor | None:
    """The person who asked for the score, where they are still a member and may still run its dataset; else None."""
    rows = Member.objects.active().select_related("organisation", "user")
    member = rows.filter(pk=score.asked_by_id).first() if score.asked_by_id else None
    if member is None:
        return None
    actor = Actor.of_member(member)
    return actor if access.may(actor, Permission.DATASETS_RUN, score.dataset) else None


def judge_for_nobody(score: TakenScore, settings: Settings, case: CaseDraft, answer: GradedAnswer) -> Judged:
    """The judge's part where nobody is left who may run it: skipped, and pinned to the judge of now (SC-147)."""
    judge = judge_of(Actor.system(score.dataset.organisation), score.dataset, settings)
    pin = judge.identity.pin(settings, temperature=judge.identity.temperature)
    cause = Cause.FORBIDDEN
    found = findings_without_verdict(asked_criteria(case, settings), cause, cause.verdict, cause.reason, case, answer)
    return Judged(found, pin)
