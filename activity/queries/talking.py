"""Which agents a member may talk to: active, published, and answered by Casebook or by a service of theirs (PL-30)."""

from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent, AgentKind
from core.errors import Conflict


def agents_to_talk_to(actor: Actor) -> QuerySet[Agent]:
    """Those whose answers the actor may ask for, by name."""
    rows = Agent.objects.tested().active().exclude(kind=AgentKind.EXTERNAL).filter(newest_version__gte=1)
    return rows.allowed(actor, Permission.AGENTS_RUN).defer("draft").order_by("name_folded", "pk")


def find_agent_to_talk_to(actor: Actor, agent_id: UUID) -> Agent:
    """The agent, which can answer now. Raises `NotFound`, `NotAllowed` without `agents:run` on it, `Conflict` where it
    does not answer: `agent_archived`, `agent_external` or `agent_unpublished`."""
    agent = access.fetch(Agent.objects.tested().defer("draft"), actor, Permission.AGENTS_RUN, pk=agent_id)
    if not agent.is_active:
        raise Conflict("agent_archived", _("This agent is archived: it answers no more."))
    if agent.kind == AgentKind.EXTERNAL:
        raise Conflict("agent_external", _("This agent runs elsewhere: Casebook does not call it."))
    if not agent.newest_version:
        raise Conflict("agent_unpublished", _("This agent has no published version yet."))
    return agent


def may_answer(actor: Actor, agent: Agent | None) -> bool:
    """Whether a further question in a conversation with this agent would be taken."""
    return agent is not None and agents_to_talk_to(actor).filter(pk=agent.pk).exists()
