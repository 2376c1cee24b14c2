"""Working on a test run for one slice of time, and what follows from it (EV-D30)."""

from uuid import UUID

from agents.loop.desk import run_attended
from core.logging import logger
from evals.models import EvalRun, EvalState, Worker
from evals.operations.claiming import hand_back, return_expired
from evals.operations.completion import Next, advance, end_early, note_confirming
from evals.operations.gradings import settle
from evals.operations.queueing import enqueue_work
from evals.operations.shift import Shift
from evals.operations.slices import Slice
from evals.operations.workers import enter, leave, live_workers
from scoring.logic.checks import CheckRunner

log = logger("casebook.evals")
RELATED = ("organisation", "dataset__organisation", "agent", "agent_version", "snapshot")


def work_on(run_id: UUID, turn: int | None = None) -> None:
    """Answer and grade attempts of the run for a minute at the most; then complete it, or leave it to the next job.

    Safe to deliver twice, late, and for runs that are gone or have ended. Raises only what the database does; what is
    left then is taken up by the sweep.
    """
    worker = enter(run_id, turn)
    if worker is None:
        return
    try:
        run = EvalRun.objects.select_related(*RELATED).get(pk=run_id)
        return_expired(run)
        note_confirming(run)
        work = _worked(run, worker)
    finally:
        hand_back(worker)
        leave(worker)
    if work is None or not work.is_gone:
        _go_on(run, worker, work)


def _worked(run: EvalRun, worker: Worker) -> Slice | None:
    """A slice of work; None where the run is being cancelled, and nothing begins any more."""
    if run.state == EvalState.CANCELLING:
        return None
    with CheckRunner() as runner:
        work = Slice(run, worker, runner)
        run_attended(lambda desk: Shift(desk, work).run())
    work.note_progress()
    return work


def _go_on(run: EvalRun, worker: Worker, work: Slice | None) -> None:
    run.refresh_from_db(fields=["state", "turn"])
    if work is not None and work.halt is not None:
        settle(run, worker)
        end_early(run, work.halt.state, work.halt.cause)
        log.info("eval.ended", eval=str(run.pk), state=work.halt.state.value)
    elif live_workers().filter(run=run).exists():
        return  # whoever leaves last goes on
    elif run.state == EvalState.CANCELLING:
        settle(run, worker)
        end_early(run, EvalState.CANCELLED, None)
    elif advance(run) is Next.GOES_ON:
        enqueue_work(run)
