"""The demonstration's runs: a month of work of its agents, sent as an integrator sends runs (PL-50)."""

from datetime import timedelta
from pathlib import Path

from django.utils import timezone

from accounts.actor import Actor
from activity.logic.demonstration import read_sources, sent_runs
from activity.logic.sent_runs import read_runs
from activity.models import Feedback
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
    _rate_at_the_time(agents)
    return sent


def _rate_at_the_time(agents: list[Agent]) -> None:
    """Ratings come in with their runs here; people gave them soon after each answer."""
    rows = list(Feedback.objects.filter(message__run__agent__in=agents).select_related("message__run"))
    for place, row in enumerate(rows):
        answered = row.message.run.finished_at if row.message.run else None
        row.created_at = row.changed_at = (answered or row.created_at) + timedelta(minutes=1 + place % 9)
    Feedback.objects.bulk_update(rows, ["created_at", "changed_at"], batch_size=500)
