"""The parts of Casebook that ask models: what can be set about each (PL-25, GEN-D19)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import access
from accounts.permissions import Permission
from accounts.views.answers import dialog, done
from agents.forms.agents import HelperModelForm
from agents.models import Agent
from agents.operations.helper_models import set_helper_model
from agents.queries.agents import find_agent, model_of_helper
from agents.queries.language_models import models_to_choose
from agents.queries.spending import budget_of_agent
from agents.views.agent_addresses import agent_address
from core.errors import NotFound


def helper_page(request: Any, agent: Agent) -> HttpResponse:
    """Its model and its budget."""
    context = {
        "agent": agent,
        "budget": budget_of_agent(agent),
        "model": model_of_helper(agent),
        "may_manage": access.may(request.actor, Permission.ORGANISATION_MANAGE),
    }
    return render(request, "agents/agent_helper.html", context)


@require_http_methods(["GET", "POST"])
def agent_helper_model(request: Any, agent_id: UUID) -> HttpResponse:
    """Choose the model of a helper."""
    agent = find_agent(request.actor, agent_id)
    access.require(request.actor, Permission.ORGANISATION_MANAGE)
    if not agent.is_helper:
        raise NotFound
    models, current = models_to_choose(request.actor), agent.draft.get("model", "")
    form = HelperModelForm(request.POST if request.method == "POST" else None, models=models, current=current)
    back = agent_address(agent_id)
    if form.is_valid():
        set_helper_model(request.actor, agent_id=agent_id, model_id=form.cleaned_data["model"] or None)
        return done(request, back, _("The model is saved."))
    status = 422 if form.is_bound else 200
    context: Any = {"form": form, "submit": _("Save"), "status": status}
    return dialog(request, "helper_model", title=_("Model"), back=back, app="agents", **context)
