"""Runs that were left behind by a process that ended (PL-23)."""

from datetime import timedelta

import pytest
from django.utils import timezone

from activity.jobs import end_lost_runs_job
from activity.models import RunStatus
from tests.activity.rows import make_agent, make_run
from tests.cast import Cast


@pytest.mark.spec("PL-23")
def test_a_run_that_can_no_longer_be_under_way_is_ended_and_no_other(cast: Cast) -> None:
    agent = make_agent(cast)
    lost, running, done = (
        make_run(agent, status=status, minutes=minutes)
        for status, minutes in [("running", 13), ("running", 11), ("completed", 60)]
    )
    end_lost_runs_job()
    for run in (lost, running, done):
        run.refresh_from_db()
    assert (lost.status, lost.error) == (RunStatus.FAILED, "The server stopped while the agent answered.")
    assert lost.finished_at is not None
    assert timezone.now() - lost.finished_at < timedelta(minutes=1)
    assert (running.status, done.status) == (RunStatus.RUNNING, RunStatus.COMPLETED)
