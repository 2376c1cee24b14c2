"""Archiving a test run: hidden, and never compared with of itself; its results stay (EV-D55)."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.permissions import Permission
from core.errors import Conflict
from evals.models import EvalRun
from evals.operations.locking import locked_eval


@transaction.atomic
def archive_eval(actor: Actor, *, eval_id: UUID) -> EvalRun:
    """Take it out of the list; one that was the baseline is so no longer. Archiving again changes nothing.

    Raises `NotFound`, `NotAllowed` without `datasets:edit`, `Conflict` `eval_running` until it has ended.
    """
    run = _locked(actor, eval_id)
    if not run.is_final:
        raise Conflict("eval_running", _("This test run is still at work. Cancel it, or wait until it has ended."))
    if run.archived_at is None:
        run.archived_at, run.is_baseline = timezone.now(), False
        run.save(update_fields=["archived_at", "is_baseline"])
        audit.record(actor, "eval.archived", run.dataset, eval=str(run.pk), number=run.number)
    return run


@transaction.atomic
def bring_back_eval(actor: Actor, *, eval_id: UUID) -> EvalRun:
    """List it again. Raises `NotFound`, `NotAllowed` without `datasets:edit`."""
    run = _locked(actor, eval_id)
    if run.archived_at is not None:
        run.archived_at = None
        run.save(update_fields=["archived_at"])
        audit.record(actor, "eval.brought_back", run.dataset, eval=str(run.pk), number=run.number)
    return run


def _locked(actor: Actor, eval_id: UUID) -> EvalRun:
    run = locked_eval(actor, eval_id)
    access.require(actor, Permission.DATASETS_EDIT, run.dataset)
    return run
