"""What the page of an agent shows around each of its parts."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent, AgentKind
from agents.operations.agents import refuse_helper
from agents.queries.agent_state import DraftState, draft_state
from agents.queries.agents import RUNNABLE, find_agent
from agents.views.agent_addresses import address_or_nothing, agent_address


@dataclass(frozen=True)
class Tab:
    """One part of the page."""

    name: str
    label: str
    href: str
    is_current: bool
    count: int | None = None


def agent_to_edit(actor: Actor, agent_id: UUID) -> Agent:
    """The agent, for who may edit it. Raises `NotFound`, `NotAllowed`, also for a helper."""
    agent = find_agent(actor, agent_id, Permission.AGENTS_EDIT)
    refuse_helper(agent)
    return agent


def page_context(actor: Actor, agent: Agent, tab: str) -> dict[str, Any]:
    """For `agents/agent_page.html`; `can_change` is for the draft, which stands still while the agent is archived."""
    may_edit = access.may(actor, Permission.AGENTS_EDIT, agent)
    state = draft_state(agent)
    return {
        "agent": agent,
        "tab": tab,
        "tabs": _tabs(agent, tab),
        "state": state,
        "may_edit": may_edit,
        "can_change": may_edit and agent.is_active,
        "next_number": agent.newest_version + 1,
        "chat_address": _chat_address(actor, agent, state),
    }


def tab_of(agent: Agent, wanted: str) -> str:
    """The part that the address names, or the first."""
    names = [tab.name for tab in _tabs(agent, "")]
    return wanted if wanted in names else names[0]


def _tabs(agent: Agent, current: str) -> list[Tab]:
    first = {
        AgentKind.MODEL: ("instructions", _("Instructions")),
        AgentKind.ENDPOINT: ("endpoint", pgettext("of an agent", "Endpoint")),
        AgentKind.EXTERNAL: ("external", _("Sending runs")),
        AgentKind.JUDGE: ("judging", _("Instructions")),
    }
    name, words = first[AgentKind(agent.kind)]
    labels: dict[str, tuple[str, int | None]] = {name: (words, None)}
    if agent.kind != AgentKind.JUDGE:
        labels["tools"] = _("Tools"), len(agent.draft.get("tools", []))
    if agent.kind == AgentKind.MODEL:
        attached = len(agent.draft.get("skills", [])) + len(agent.draft.get("knowledge", []))
        labels["knowledge"] = _("Knowledge and skills"), attached
    labels["versions"] = _("Versions"), agent.newest_version
    labels["settings"] = _("Settings"), None
    return [
        Tab(name, label, agent_address(agent.pk, tab=name), name == current, count)
        for name, (label, count) in labels.items()
    ]


def _chat_address(actor: Actor, agent: Agent, state: DraftState) -> str:
    """Where people talk to it, or nothing where they cannot."""
    if agent.kind not in RUNNABLE or not agent.is_active or not state.newest:
        return ""
    there = address_or_nothing("chat")
    return f"{there}?agent={agent.pk}" if there and access.may(actor, Permission.AGENTS_RUN, agent) else ""
