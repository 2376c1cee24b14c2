"""The page of one agent with its parts (PL-21)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from agents.models import Agent
from agents.queries.agents import find_agent
from agents.views.agent_context import page_context, tab_of
from agents.views.agent_helpers import helper_page
from agents.views.agent_parts import part_context
from core.pages import respond


@require_safe
def agent_detail(request: Any, agent_id: UUID) -> HttpResponse:
    """The part of the address; of a helper only what can be changed about it."""
    agent = find_agent(request.actor, agent_id)
    if agent.is_helper:
        return helper_page(request, agent)
    tab = tab_of(agent, request.GET.get("tab", ""))
    return show_part(request, agent, tab)


def show_part(request: Any, agent: Agent, tab: str, *, status: int = 200, **more: Any) -> HttpResponse:
    """One part of the page; `more` is a refused form in place of the part's own."""
    context = page_context(request.actor, agent, tab)
    context |= part_context(request.actor, agent, tab, request.GET, context) | more
    return respond(request, "agents/agent_page.html", context, part="area", status=status)
