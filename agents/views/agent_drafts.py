"""Saving the parts of a draft, and throwing it away (PL-21)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.views.answers import dialog, done, refused
from agents.forms.agent_drafts import DraftForm
from agents.models import Agent
from agents.operations.agent_drafts import read_draft, restore_to_draft, save_draft
from agents.queries.agents import refuse_archived
from agents.views.agent_addresses import agent_address
from agents.views.agent_context import agent_to_edit
from agents.views.agent_page import show_part
from agents.views.agent_parts import endpoint_form, instructions_form, judging_form, parts_form
from core.errors import Conflict, Invalid

FORMS: dict[str, Callable[..., DraftForm]] = {
    "instructions": instructions_form,
    "endpoint": endpoint_form,
    "knowledge": parts_form,
    "judging": judging_form,
}
TABS = {
    "model": ("instructions", "knowledge"),
    "endpoint": ("endpoint",),
    "external": (),
    "judge": ("judging",),
}


@require_POST
def agent_draft(request: Any, agent_id: UUID) -> HttpResponse:
    """Save one part of the draft, named by `tab`; the others stay. What somebody else saved is not overwritten."""
    agent = agent_to_edit(request.actor, agent_id)
    refuse_archived(agent)
    allowed = TABS[agent.kind]
    tab = request.GET.get("tab", "")
    tab = tab if tab in allowed else next(iter(allowed), "")
    if not tab:
        return done(request, agent_address(agent_id))
    form = FORMS[tab](request.actor, agent, request.POST)
    status = _saved(request, agent, form) if form.is_valid() else 422
    if not status:
        return done(request, agent_address(agent_id, tab=tab), _("The draft is saved."))
    return show_part(request, agent, tab, status=status, form=form, was_changed=status == 409)


def _saved(request: Any, agent: Agent, form: DraftForm) -> int:
    """0 where it is stored, else the status of the form that is shown again."""
    try:
        spec = read_draft(request.actor, agent_id=agent.pk, draft={**agent.draft, **form.changes()})
        save_draft(request.actor, agent_id=agent.pk, spec=spec, revision=form.began_from())
    except Invalid as error:
        return refused(form, error)
    except Conflict as conflict:
        form.take_revision(conflict.data.get("revision", agent.draft_revision))
        return 409
    return 0


@require_http_methods(["GET", "POST"])
def agent_discard(request: Any, agent_id: UUID) -> HttpResponse:
    """Make the draft say what the newest version says, after asking."""
    agent = agent_to_edit(request.actor, agent_id)
    back = agent_address(agent_id)
    if request.method == "POST":
        restore_to_draft(request.actor, agent_id=agent_id)
        return done(request, back, _("The draft is discarded."))
    title = _("Discard the draft?")
    return dialog(
        request, "discard_draft", title=title, back=back, app="agents", agent=agent, submit=_("Discard"), danger=True
    )
