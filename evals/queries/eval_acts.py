"""Which acts on a test run somebody is offered, and why one is disabled (EV-D54, EV-D55)."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict, NotAllowed
from core.offers import NOT_OFFERED, OFFERED, Offer
from evals.models import EvalRun, EvalState
from evals.places import review_url_name
from evals.queries.resumable import RESUMABLE, refuse_to_resume


@dataclass(frozen=True)
class Acts:
    """An offer for each act; `baseline` makes it one, `end_baseline` undoes that, and so `archive` and `bring_back`."""

    cancel: Offer
    resume: Offer
    again: Offer
    baseline: Offer
    end_baseline: Offer
    archive: Offer
    bring_back: Offer
    compare: Offer
    export: Offer


def acts_for(actor: Actor, run: EvalRun) -> Acts:
    """What the actor, who can see the run, is offered; whether it would be refused is asked as the act asks it."""
    may_run = access.may(actor, Permission.DATASETS_RUN, run.dataset)
    may_edit = access.may(actor, Permission.DATASETS_EDIT, run.dataset)
    is_archived = run.archived_at is not None
    return Acts(
        cancel=_cancel(actor, run),
        resume=_resume(actor, run) if may_run and not is_archived else NOT_OFFERED,
        again=_again(run) if may_run else NOT_OFFERED,
        baseline=_baseline(run) if may_edit and not is_archived else NOT_OFFERED,
        end_baseline=OFFERED if may_edit and run.is_baseline else NOT_OFFERED,
        archive=_archive(run) if may_edit and not is_archived else NOT_OFFERED,
        bring_back=OFFERED if may_edit and is_archived else NOT_OFFERED,
        compare=_compare(run),
        export=OFFERED if run.is_final else Offer(True, _("The results can be exported once the test run has ended.")),
    )


def may_send(actor: Actor, run: EvalRun) -> bool:
    """Whether the actor may choose answers of the run to be looked at by a person (EV-45, RV-72)."""
    return run.is_final and bool(review_url_name()) and access.may(actor, Permission.DATASETS_EDIT, run.dataset)


def may_cancel(actor: Actor, run: EvalRun) -> bool:
    """Whoever started it, or has `datasets:run` on the dataset; a key only where it is not restricted to less.

    The run is seen, so `runs:view` is there (EV-D54).
    """
    is_starter = run.started_by_id is not None and run.started_by_id == actor.member_id
    if is_starter and actor.key_allows(Permission.DATASETS_RUN):
        return True
    return access.may(actor, Permission.DATASETS_RUN, run.dataset)


def _cancel(actor: Actor, run: EvalRun) -> Offer:
    if run.is_final or not may_cancel(actor, run):
        return NOT_OFFERED
    if run.state == EvalState.CANCELLING:
        return Offer(True, _("It is being cancelled: the answers under way are waited for."))
    return OFFERED


def _resume(actor: Actor, run: EvalRun) -> Offer:
    if run.state not in RESUMABLE or not run.asks_an_agent:
        return NOT_OFFERED
    try:
        refuse_to_resume(actor, run)
    except NotAllowed:
        return NOT_OFFERED
    except Conflict as refusal:
        return Offer(True, str(refusal))
    return OFFERED


def _again(run: EvalRun) -> Offer:
    if not run.asks_an_agent:
        return NOT_OFFERED
    return OFFERED if run.agent_id else Offer(True, _("The agent of this test run is gone."))


def _baseline(run: EvalRun) -> Offer:
    if run.is_baseline or run.agent_id is None or run.state in RESUMABLE:
        return NOT_OFFERED
    if run.state != EvalState.COMPLETED:
        return Offer(True, _("Only a completed test run has a full result to compare with."))
    return OFFERED


def _archive(run: EvalRun) -> Offer:
    if run.is_final:
        return OFFERED
    return Offer(True, _("This test run is still at work. Cancel it, or wait until it has ended."))


def _compare(run: EvalRun) -> Offer:
    others = EvalRun.objects.filter(dataset=run.dataset_id, archived_at=None).exclude(pk=run.pk)
    return OFFERED if others.exists() else Offer(True, _("There is no other test run of this dataset yet."))
