"""The demonstration's agents and runs: as an integrator would send them, once, the same for everybody (PL-50)."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from activity.logic.demonstration import read_sources, sent_runs
from activity.logic.sent_runs import read_runs
from activity.models import Feedback, Run
from activity.operations.demonstration import FOLDER, load_runs
from agents.models import Agent
from agents.operations.demonstration import load_agents
from tests.cast import Cast

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
AGENT = "0197a0c2-7d1e-7c3f-8a55-3f0f5b0d2a11"


@pytest.mark.spec("PL-32", "PL-50")
def test_every_run_is_one_that_the_api_takes() -> None:
    for source, lines in read_sources(FOLDER):
        runs, problems = read_runs(list(sent_runs(source, lines, agent_id=AGENT, now=NOW)))
        assert problems == []
        assert all(NOW - timedelta(days=31) < run.started_at < run.finished_at < NOW for run in runs if run.started_at)  # type: ignore[operator]


def test_the_same_day_tells_the_same_and_leaves_no_gap_in_a_text() -> None:
    for source, lines in read_sources(FOLDER):
        once, again = ([*sent_runs(source, lines, agent_id=AGENT, now=NOW)] for _time in range(2))
        assert once == again
        assert not [run for run in once for word in ("{order}", "{number}", "{city}", "{person}") if word in str(run)]


@pytest.mark.spec("PL-50")
def test_agents_and_their_runs_are_made_once(cast: Cast) -> None:
    owner = cast.actor("owner")
    made = load_runs(owner, agents=load_agents(owner))
    assert Run.objects.count() == made > 300
    assert Agent.objects.filter(newest_version=1).count() == 3
    assert {"completed", "failed", "max_steps", "timed_out"} == set(Run.objects.values_list("status", flat=True))
    assert Feedback.objects.exclude(comment="").exists()
    assert Run.objects.filter(started_at__gt=timezone.now()).count() == 0
    assert load_runs(owner, agents=load_agents(owner)) == 0
    assert Run.objects.count() == made
