"""The demonstration's runs: a month of work of its agents, sent as an integrator sends runs (PL-50)."""

from pathlib import Path

from django.utils import timezone

from accounts.actor import Actor
from activity.logic.demonstration import read_sources, sent_runs
from activity.logic.sent_runs import read_runs
from activity.operations.ingest import ingest_runs
from agents.models import Agent
from core.limits import LIMITS

FOLDER = Path(__file__).parent.parent / "demonstration"


def load_runs(actor: Actor, *, agents: list[Agent]) -> int:
    """Send the runs of these agents; how many there were. The dates count back from now."""
    ids = {agent.name: str(agent.pk) for agent in agents}
    sent = 0
    for source, lines in read_sources(FOLDER):
        if source["agent"] not in ids:
            continue
        bodies = list(sent_runs(source, lines, agent_id=ids[source["agent"]], now=timezone.now()))
        for start in range(0, len(bodies), LIMITS.runs_a_request):
            runs, problems = read_runs(bodies[start : start + LIMITS.runs_a_request])
            if problems:
                raise ValueError(problems)
            ingest_runs(actor, runs=runs)
            sent += len(runs)
    return sent
