"""Queued test runs: how many of an organisation are at work at once, the oldest of the others next (EV-D21)."""

from uuid import UUID

from django.conf import settings
from django.utils import timezone

from core.jobs import enqueue_named
from evals.models import EvalRun, EvalState
from evals.operations.waking import WORK_JOB

ACTIVE_STATES = (EvalState.RUNNING, EvalState.CONFIRMING)


def begin_queued(organisation_id: UUID, *, besides: UUID | None = None) -> None:
    """Let the oldest queued runs begin, as far as there is room; each gets its job, but for one that has it already.

    Call inside a transaction that locked the organisation (`lock_organisation`).
    """
    runs = EvalRun.objects.filter(organisation=organisation_id)
    queued = runs.filter(state=EvalState.QUEUED)
    if not queued.exists():
        return
    room = settings.EVAL_MAX_ACTIVE_PER_ORG - runs.filter(state__in=ACTIVE_STATES).count()
    for run in queued.order_by("created_at", "pk")[: max(0, room)]:
        now = timezone.now()
        begun = {"state": EvalState.RUNNING, "started_at": run.started_at or now, "progress_at": now, "stalls": 0}
        if EvalRun.objects.filter(pk=run.pk, state=EvalState.QUEUED).update(**begun) and run.pk != besides:
            enqueue_work(run)


def enqueue_work(run: EvalRun) -> None:
    """Have a worker go on with the run, once the transaction has committed; it is for the run's present turn alone."""
    enqueue_named(WORK_JOB, run_id=run.pk, turn=run.turn)
