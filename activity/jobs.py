"""Background jobs of activity: ids in, reload, one operation, safe to repeat."""

from activity.operations.lost_runs import end_lost_runs
from activity.operations.otlp import sweep_spans
from activity.operations.retention import delete_old_runs


def delete_old_runs_job() -> None:
    """Once a day: delete the runs and conversations that organisations no longer keep."""
    delete_old_runs()


def sweep_spans_job() -> None:
    """Every ten minutes: make runs of spans whose outermost one did not come, and forget old spans."""
    sweep_spans()


def end_lost_runs_job() -> None:
    """Every ten minutes: end the runs whose process ended while the agent answered."""
    end_lost_runs()
