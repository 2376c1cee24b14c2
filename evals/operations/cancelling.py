"""Cancelling a test run: no new attempt starts, and what is under way may finish and counts (EV-D26, EV-D54)."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.actor import Actor
from core.errors import Conflict, NotAllowed
from evals.models import Attempt, AttemptState, EvalRun, EvalState
from evals.operations.locking import locked_eval
from evals.operations.waking import wake
from evals.queries.eval_acts import may_cancel

UNDER_WAY = (AttemptState.ANSWERING, AttemptState.ANSWERED, AttemptState.GRADING)


@transaction.atomic
def cancel_eval(actor: Actor, *, eval_id: UUID) -> EvalRun:
    """End the run early. Cancelling one that is being cancelled changes nothing.

    Raises `NotFound`, `NotAllowed` for who neither started it nor has `datasets:run`, `Conflict` `eval_ended`.
    """
    run = locked_eval(actor, eval_id)
    if not may_cancel(actor, run):
        raise NotAllowed
    if run.is_final:
        raise Conflict("eval_ended", _("This test run has ended already."))
    if run.state == EvalState.CANCELLING:
        return run
    now = timezone.now()
    waiting = Attempt.objects.filter(run=run, state=AttemptState.PENDING)
    left = waiting.update(state=AttemptState.CANCELLED, done_at=now)
    run.progress_at = now
    if Attempt.objects.filter(run=run, state__in=UNDER_WAY).exists() or run.state != EvalState.QUEUED:
        run.state = EvalState.CANCELLING
        wake(run)
    else:
        run.state, run.finished_at = EvalState.CANCELLED, now
    run.save(update_fields=["state", "finished_at", "progress_at"])
    audit.record(actor, "eval.cancelled", run.dataset, eval=str(run.pk), number=run.number, not_asked=left)
    return run
