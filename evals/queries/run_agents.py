"""The agents of a dataset's test runs that one reader may see, and the trend of one of them (ACC-D23)."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Count, Exists, Max, OuterRef

from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent
from datasets.models import Dataset
from evals.logic.results import Tally
from evals.logic.trend import TrendRun
from evals.models import EvalRun, EvalState
from scoring.logic.hashes import sha256_of_json


def agents_of_runs(actor: Actor, dataset: Dataset) -> list[Agent]:
    """Those that answered in a run of the dataset, by name; one that the actor may not see is as if it were none."""
    asked = Exists(EvalRun.objects.filter(dataset=dataset, agent=OuterRef("pk")).order_by())
    seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW).filter(asked)
    return list(seen.defer("draft").order_by("name_folded", "pk"))


def agent_with_trend(dataset: Dataset, agents: Sequence[Agent]) -> Agent | None:
    """Of these agents the one with several completed runs that was run last; None where each has one at the most."""
    completed = EvalRun.objects.filter(
        dataset=dataset, agent__in=[agent.pk for agent in agents], state=EvalState.COMPLETED, archived_at=None
    )
    counted = (
        completed.order_by().values("agent").annotate(runs=Count("pk"), last=Max("created_at")).filter(runs__gte=2)
    )
    several = counted.filter(runs__gte=2).order_by("-last", "agent")
    newest = several.values_list("agent", flat=True).first() if agents else None
    return next((agent for agent in agents if agent.pk == newest), None)


def ahead_of_each(runs: Sequence[EvalRun]) -> dict[UUID, int]:
    """How many queued runs of the organisation are taken up before each queued one among these (EV-D21)."""
    waiting = [run for run in runs if run.state == EvalState.QUEUED]
    if not waiting:
        return {}
    queued = EvalRun.objects.filter(organisation_id=waiting[0].organisation_id, state=EvalState.QUEUED)
    order = list(queued.order_by("created_at", "id").values_list("pk", flat=True))
    return {run.pk: order.index(run.pk) for run in waiting if run.pk in order}


def as_drawn(run: EvalRun, tally: Tally) -> TrendRun:
    """A run of a trend: graded alike are equal settings with an equal judge; the cases are those of its choices."""
    options = run.options or {}
    chosen = [run.version, run.repeats, *(options.get(name) for name in ("tags", "case_ids", "not_passed_in"))]
    mark = f"v{run.agent_version.number}" if run.agent_version else ""
    return TrendRun(tally, f"{run.snapshot_id}:{run.pin_hash}", sha256_of_json(chosen), mark)
