"""Recording what a helper did: one run each, without the words that it read or wrote (ACC-24, GEN-60)."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils import timezone

from accounts.models import Member, Organisation
from activity.logic.sent_values import as_money
from activity.models import Run, RunKind
from activity.operations.recording import usage_fields
from agents.logic.usage import Usage
from agents.loop.events import Ended
from agents.models import Agent, AgentVersion, Helper
from agents.operations.helper_agents import helper_agent
from agents.operations.spending import record_cost


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
    cost = None if calls.cost is None else as_money(calls.cost)
    if agent is not None:
        record_cost(agent_id=agent.pk, usd=cost, at=calls.began_at)
    return Run.objects.create(
        organisation=organisation,
        agent=agent,
        agent_version=version,
        started_by=started_by,
        kind=RunKind.HELPER,
        status=end.status.value,
        error=end.error,
        model=calls.model,
        step_count=calls.calls,
        cost=cost,
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
