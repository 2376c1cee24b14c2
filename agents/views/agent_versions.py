"""Publishing an agent, and reading, comparing and restoring its versions (PL-21)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.permissions import Permission
from accounts.views.answers import dialog, done, refused
from agents.forms.agents import PublishForm
from agents.logic.specs import spec_of
from agents.models import Agent
from agents.operations.agent_drafts import restore_to_draft
from agents.operations.agent_versions import publish_agent
from agents.queries.agent_state import draft_state
from agents.queries.agents import find_agent, find_version
from agents.queries.compared_versions import compare_versions
from agents.queries.spec_details import named_changes, named_problems, spec_details
from agents.views.agent_addresses import agent_address
from agents.views.agent_context import agent_to_edit
from core.errors import Conflict, Invalid


@require_http_methods(["GET", "POST"])
def agent_publish(request: Any, agent_id: UUID) -> HttpResponse:
    """Say which version it becomes and what changes, ask for a note, then publish."""
    agent = agent_to_edit(request.actor, agent_id)
    form = PublishForm(request.POST or None, initial={"revision": agent.draft_revision})
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            version = publish_agent(request.actor, agent_id=agent_id, **form.cleaned_data)
        except Invalid as error:
            status = refused(form, error)
        except Conflict as conflict:
            form.add_error(None, str(conflict))
            status = 409
        else:
            told = _("Published as version %(number)d.") % {"number": version.number}
            return done(request, agent_address(agent_id, tab="versions"), told)
    return _publishing(request, agent, form, status)


def _publishing(request: Any, agent: Agent, form: PublishForm, status: int) -> HttpResponse:
    state = draft_state(agent)
    title = _("Publish version %(number)d") % {"number": agent.newest_version + 1}
    return dialog(
        request,
        "publish",
        title=title,
        back=agent_address(agent.pk),
        app="agents",
        status=status,
        form=form,
        submit=_("Publish") if state.can_be_published else "",
        agent=agent,
        state=state,
        changes=named_changes(agent, state.changes),
        problems=named_problems(state.making.spec, state.making.problems),
    )


@require_safe
def agent_version(request: Any, agent_id: UUID, number: int) -> HttpResponse:
    """One version, read-only."""
    agent = find_agent(request.actor, agent_id)
    version = find_version(agent, number)
    context = {
        "agent": agent,
        "version": version,
        "details": spec_details(agent, spec_of(agent.kind, version.spec)),
        "can_change": _can_change(request, agent),
    }
    return render(request, "agents/agent_version.html", context)


@require_safe
def agent_compare(request: Any, agent_id: UUID) -> HttpResponse:
    """Two versions, or a version and the draft, with the words that changed marked."""
    agent = find_agent(request.actor, agent_id)
    compared = compare_versions(agent, request.GET.get("from", ""), request.GET.get("to", ""))
    return render(request, "agents/agent_compare.html", {"agent": agent, "compared": compared})


@require_http_methods(["GET", "POST"])
def agent_version_restore(request: Any, agent_id: UUID, number: int) -> HttpResponse:
    """Make the draft say what a version says, after asking."""
    agent = agent_to_edit(request.actor, agent_id)
    version = find_version(agent, number)
    back = agent_address(agent_id, tab="versions")
    if request.method == "POST":
        restore_to_draft(request.actor, agent_id=agent_id, number=number)
        told = _("The draft says what version %(number)d says. Publish it to put it in use.") % {"number": number}
        return done(request, agent_address(agent_id), told)
    title = _("Restore version %(number)d into the draft?") % {"number": number}
    context: Any = {"agent": agent, "version": version, "state": draft_state(agent)}
    return dialog(
        request, "restore_version", title=title, back=back, app="agents", submit=_("Restore into the draft"), **context
    )


def _can_change(request: Any, agent: Agent) -> bool:
    return agent.is_active and access.may(request.actor, Permission.AGENTS_EDIT, agent)
