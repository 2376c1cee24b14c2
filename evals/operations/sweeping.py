"""Every minute: nothing that a lost worker held stays held, and no test run is left hanging (EV-D29, EV-D32)."""

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from core.logging import logger
from evals.logic import causes
from evals.models import FINAL_STATES, Attempt, AttemptState, EvalRun, EvalState, Worker
from evals.operations.claiming import HELD, return_expired
from evals.operations.completion import end_early
from evals.operations.queueing import begin_queued, enqueue_work
from evals.operations.stored_runs import make_missing_runs
from evals.operations.workers import live_workers, lock_organisation

log = logger("casebook.evals")

STALLED_AFTER = timedelta(minutes=15)
PICKED_UP = 3
AT_WORK = (EvalState.RUNNING, EvalState.CONFIRMING, EvalState.CANCELLING)


def sweep() -> None:
    """Safe to run at any time, also several at once."""
    _cancel_left_behind()
    return_expired()
    Worker.objects.filter(alive_until__lt=timezone.now()).delete()
    for run in EvalRun.objects.filter(state__in=AT_WORK).order_by("created_at"):
        _take_up(run)
    waiting = EvalRun.objects.filter(state=EvalState.QUEUED).order_by("organisation").distinct()
    for organisation_id in set(waiting.values_list("organisation_id", flat=True)):
        _begin(organisation_id)
    make_missing_runs()


def _cancel_left_behind() -> None:
    """Attempts that were still being answered when their run ended, and whose worker was lost then."""
    rows = Attempt.objects.filter(state=AttemptState.ANSWERING, leased_until__lt=timezone.now())
    rows.filter(run__state__in=FINAL_STATES).update(
        state=AttemptState.CANCELLED, worker="", leased_until=None, done_at=timezone.now()
    )


def _take_up(run: EvalRun) -> None:
    """Give a run that nobody works on to the next worker; one that never moves on ends."""
    if live_workers().filter(run=run).exists():
        return
    now = timezone.now()
    if run.progress_at < now - STALLED_AFTER and not _has_leases(run):
        if run.stalls >= PICKED_UP:
            log.error("eval.stalled", eval=str(run.pk))
            end_early(run, EvalState.FAILED, causes.STALLED)
            return
        log.warning("eval.picked_up", eval=str(run.pk), stalls=run.stalls + 1)
        same = EvalRun.objects.filter(pk=run.pk, progress_at=run.progress_at)
        same.update(stalls=F("stalls") + 1, progress_at=now)
    enqueue_work(run)


def _has_leases(run: EvalRun) -> bool:
    return Attempt.objects.filter(run=run, state__in=HELD, leased_until__gt=timezone.now()).exists()


@transaction.atomic
def _begin(organisation_id: UUID) -> None:
    lock_organisation(organisation_id)
    begin_queued(organisation_id)
