"""Background jobs of test runs: ids in, reload, one operation, safe to repeat."""

from uuid import UUID

from evals.operations.sweeping import sweep
from evals.operations.work import work_on


def work_job(run_id: str, turn: int | None = None) -> None:
    """Work on a test run for a minute at the most; what is left gets a job of its own (EV-D30).

    Without a turn it is whoever's turn it is, as after a start or a resume.
    """
    work_on(UUID(run_id), turn)


def sweep_job() -> None:
    """Every minute: take up what a lost worker left behind, and end what does not move on (EV-D29, EV-D32)."""
    sweep()
