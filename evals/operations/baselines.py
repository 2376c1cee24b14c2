"""The baseline of a dataset and an agent: what their test runs are compared with by default (EV-D40, EV-D54)."""

from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict
from datasets.models import Dataset
from evals.models import EvalRun, EvalState
from evals.queries.evals import find_eval


@transaction.atomic
def make_baseline(actor: Actor, *, eval_id: UUID) -> EvalRun:
    """Make it the baseline in place of any other of its dataset and agent; one that is it already stays it.

    Raises `NotFound`, `NotAllowed` without `datasets:edit`, `Conflict` `eval_not_completed`, `eval_archived`,
    `agent_gone`.
    """
    run = _locked(actor, eval_id)
    if run.state != EvalState.COMPLETED:
        raise Conflict("eval_not_completed", _("Only a completed test run has a full result to compare with."))
    if run.archived_at is not None:
        raise Conflict("eval_archived", _("This test run is archived. Bring it back first."))
    if run.agent_id is None:
        raise Conflict(
            "agent_gone", _("The agent of this test run is gone, so no other run could be compared with it.")
        )
    if not run.is_baseline:
        others = EvalRun.objects.filter(dataset=run.dataset_id, agent=run.agent_id, is_baseline=True)
        others.update(is_baseline=False)
        _set(run, is_baseline=True)
        audit.record(actor, "eval.made_baseline", run.dataset, eval=str(run.pk), number=run.number)
    return run


@transaction.atomic
def end_baseline(actor: Actor, *, eval_id: UUID) -> EvalRun:
    """Have the latest completed run be compared with again. Raises `NotFound`, `NotAllowed` without `datasets:edit`."""
    run = _locked(actor, eval_id)
    if run.is_baseline:
        _set(run, is_baseline=False)
        audit.record(actor, "eval.ended_baseline", run.dataset, eval=str(run.pk), number=run.number)
    return run


def _locked(actor: Actor, eval_id: UUID) -> EvalRun:
    """The run, with its dataset locked: two may not become the baseline at once."""
    dataset_id = find_eval(actor, eval_id).dataset_id
    rows = Dataset.objects.select_for_update(no_key=True, of=("self",))
    access.fetch(rows, actor, Permission.DATASETS_EDIT, pk=dataset_id)
    return find_eval(actor, eval_id)


def _set(run: EvalRun, *, is_baseline: bool) -> None:
    EvalRun.objects.filter(pk=run.pk).update(is_baseline=is_baseline)
    run.is_baseline = is_baseline
