"""Having a worker take up a test run once the present transaction has committed."""

from core.jobs import enqueue_named
from evals.models import EvalRun

WORK_JOB = "evals.jobs.work_job"


def wake(run: EvalRun) -> None:
    """Safe to call again: a run is worked on by claims, whoever was woken for it (EV-D30)."""
    enqueue_named(WORK_JOB, run_id=run.pk)
