"""The tools of a draft: adding, changing and removing one (PL-22)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.views.answers import dialog, done
from agents.forms.agent_tools import ToolForm
from agents.logic.specs import JudgeSpec, ModelSpec, ToolSpec, spec_of
from agents.models import Agent
from agents.operations.agent_drafts import read_draft, save_draft
from agents.queries.agent_secrets import secrets_in_order
from agents.queries.agents import refuse_archived
from agents.views.agent_addresses import agent_address
from agents.views.agent_context import agent_to_edit
from core.errors import Conflict, Invalid, NotFound
from core.pages import respond

NEW = ToolSpec("")


@require_http_methods(["GET", "POST"])
def agent_tool_new(request: Any, agent_id: UUID) -> HttpResponse:
    """Another tool at the end of the draft's list."""
    agent = _to_change(request, agent_id)
    return _edit(request, agent, NEW, len(agent.draft["tools"]))


@require_http_methods(["GET", "POST"])
def agent_tool_edit(request: Any, agent_id: UUID, tool_name: str) -> HttpResponse:
    """Change a tool of the draft."""
    agent = _to_change(request, agent_id)
    place, tool = _find(agent, tool_name)
    return _edit(request, agent, tool, place)


@require_http_methods(["GET", "POST"])
def agent_tool_remove(request: Any, agent_id: UUID, tool_name: str) -> HttpResponse:
    """Take a tool out of the draft, after asking."""
    agent = _to_change(request, agent_id)
    place, _tool = _find(agent, tool_name)
    back = agent_address(agent_id, tab="tools")
    if request.method == "POST":
        tools = [tool for number, tool in enumerate(agent.draft["tools"]) if number != place]
        _save(request, agent, tools, agent.draft_revision)
        return done(request, back, _("“%(name)s” is taken out of the draft.") % {"name": tool_name})
    title = _("Remove the tool %(name)s?") % {"name": tool_name}
    submit = _("Remove tool")
    return dialog(request, "remove_tool", title=title, back=back, app="agents", submit=submit, danger=True)


def _to_change(request: Any, agent_id: UUID) -> Agent:
    agent = agent_to_edit(request.actor, agent_id)
    refuse_archived(agent)
    if agent.kind == JudgeSpec.kind:
        raise NotFound
    return agent


def _find(agent: Agent, name: str) -> tuple[int, ToolSpec]:
    for place, tool in enumerate(spec_of(agent.kind, agent.draft).tools):
        if tool.name == name:
            return place, tool
    raise NotFound


def _edit(request: Any, agent: Agent, tool: ToolSpec, place: int) -> HttpResponse:
    """The form of the tool at this place; stored when it is right and nobody saved the draft meanwhile."""
    names = [secret.name for secret in secrets_in_order(agent)]
    called = agent.kind == ModelSpec.kind
    data = request.POST if request.method == "POST" else None
    form = ToolForm(data, tool=tool, called=called, secrets=names, revision=agent.draft_revision)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        status = _stored(request, agent, form, place)
        if not status:
            told = _("“%(name)s” is saved in the draft.") % {"name": form.cleaned_data["name"]}
            return done(request, agent_address(agent.pk, tab="tools"), told)
    context = {"agent": agent, "form": form, "tool": tool, "called": called, "was_changed": status == 409}
    return respond(request, "agents/agent_tool.html", context, part="form", status=status)


def _stored(request: Any, agent: Agent, form: ToolForm, place: int) -> int:
    """0 where it is stored, else the status of the form that is shown again."""
    tools = [*agent.draft["tools"][:place], form.tool(), *agent.draft["tools"][place + 1 :]]
    try:
        _save(request, agent, tools, form.cleaned_data["revision"])
    except Invalid as error:
        form.show_problems(error, place)
        return 422
    except Conflict as conflict:
        form.take_revision(conflict.data.get("revision", agent.draft_revision))
        return 409
    return 0


def _save(request: Any, agent: Agent, tools: list[Any], revision: int) -> None:
    spec = read_draft(request.actor, agent_id=agent.pk, draft=agent.draft | {"tools": tools})
    save_draft(request.actor, agent_id=agent.pk, spec=spec, revision=revision)
