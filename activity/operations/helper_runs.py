"""Recording what a helper did: one run each, without the words that it read or wrote (ACC-24, GEN-60)."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from uuid import UUID

from django.db import models, transaction
from django.utils import timezone

from accounts.models import Member, Organisation
from activity.logic.sent_values import as_money
from activity.models import Run, RunKind
from activity.operations.recording import usage_fields
from agents.logic.usage import Usage
from agents.loop.events import Ended
from agents.models import Agent, AgentVersion, Helper
from agents.operations.helper_agents import helper_agent
from agents.operations.spending import record_cost, record_costs


@dataclass(frozen=True)
class HelperCalls:
    """What the calls of a helper's run took together; None where nobody said it, and 0 is a value (BC-38)."""

    began_at: datetime
    seconds: float
    model: str = ""
    calls: int = 1
    usage: Usage | None = None
    cost: Decimal | None = None


@transaction.atomic
def record_helper_run(
    organisation: Organisation,
    *,
    helper: Helper | AgentVersion,
    calls: HelperCalls,
    end: Ended,
    started_by: Member | None = None,
) -> Run:
    """Keep a run of the helper that ended, and count its cost against its own budget and the organisation's.

    `helper` is one of the platform's, or a version: of one, or of an agent that people made to do its work, such as a
    judge; then the run is that agent's, and nobody's where it was deleted meanwhile. No message is kept, and
    `end.error` must hold nothing of what was read or written: it says what went wrong, for a judge which fields of its
    reply could not be read.
    """
    agent, version = _who(organisation, helper)
    run = _run(organisation, agent, version, calls=calls, end=end, started_by=started_by)
    if agent is not None:
        record_cost(agent_id=agent.pk, usd=run.cost, at=calls.began_at)
    run.save(force_insert=True)
    return run


def collected_helper_run(
    organisation: Organisation,
    *,
    helper: AgentVersion,
    calls: HelperCalls,
    end: Ended,
    started_by: Member | None = None,
) -> Run:
    """The same as a row that is not stored yet: `store_helper_runs` stores many together. Asks no database."""
    return _run(organisation, helper.agent, helper, calls=calls, end=end, started_by=started_by)


def store_helper_runs(runs: Sequence[Run]) -> None:
    """Store collected runs, and count what they cost. Call inside the transaction of what belongs to them.

    An agent, version or member that was deleted meanwhile is named no more.
    """
    if not runs:
        return
    agents = _existing(Agent, {run.agent_id for run in runs})
    versions = _existing(AgentVersion, {run.agent_version_id for run in runs})
    members = _existing(Member, {run.started_by_id for run in runs})
    for run in runs:
        run.agent_id = run.agent_id if run.agent_id in agents else None
        run.agent_version_id = run.agent_version_id if run.agent_version_id in versions else None
        run.started_by_id = run.started_by_id if run.started_by_id in members else None
    Run.objects.bulk_create(runs)
    record_costs((run.agent_id, run.cost, run.started_at) for run in runs if run.agent_id)


def _existing(model: type[models.Model], ids: Collection[UUID | None]) -> set[UUID]:
    return set(model._default_manager.filter(pk__in=[key for key in ids if key]).values_list("pk", flat=True))


def _run(
    organisation: Organisation,
    agent: Agent | None,
    version: AgentVersion | None,
    *,
    calls: HelperCalls,
    end: Ended,
    started_by: Member | None,
) -> Run:
    return Run(
        organisation=organisation,
        agent=agent,
        agent_version=version,
        started_by=started_by,
        kind=RunKind.HELPER,
        status=end.status.value,
        error=end.error,
        model=calls.model,
        step_count=calls.calls,
        cost=None if calls.cost is None else as_money(calls.cost),
        seconds=calls.seconds,
        started_at=calls.began_at,
        finished_at=timezone.now(),
        **usage_fields(calls.usage),
    )


def _who(organisation: Organisation, helper: Helper | AgentVersion) -> tuple[Agent | None, AgentVersion | None]:
    if not isinstance(helper, AgentVersion):
        return helper_agent(organisation, helper), None
    version = AgentVersion.objects.select_related("agent").filter(pk=helper.pk).first()
    return (version.agent, version) if version else (None, None)
