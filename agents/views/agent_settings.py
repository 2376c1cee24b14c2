"""What stands around an agent's versions: details, budget, secrets, whether it is in use (PL-21, PL-22, PL-25)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import access
from accounts.permissions import Permission
from accounts.views.answers import dialog, done, refused
from agents.forms.agents import BudgetForm, DetailsForm, SecretForm, SecretValueForm
from agents.models import Agent
from agents.operations.agent_secrets import remove_secret, set_secret
from agents.operations.agents import archive_agent, change_agent_details, restore_agent
from agents.queries.agent_secrets import secret_row
from agents.queries.agents import find_agent
from agents.queries.spending import budget_of_agent
from agents.views.agent_addresses import agent_address
from agents.views.agent_context import agent_to_edit
from core.errors import Conflict, Invalid


@require_http_methods(["GET", "POST"])
def agent_details(request: Any, agent_id: UUID) -> HttpResponse:
    """Edit name and description; no version."""
    agent = agent_to_edit(request.actor, agent_id)
    form = DetailsForm.of(agent, request.POST or None)
    if form.is_valid():
        try:
            change_agent_details(request.actor, agent_id=agent_id, changes=form.cleaned_data)
        except Invalid as error:
            refused(form, error)
        else:
            return done(request, _settings(agent_id), _("The details are saved."))
    return _dialog(request, "agent_details", agent_id, title=_("Edit details"), form=form, submit=_("Save"))


@require_http_methods(["GET", "POST"])
def agent_budget(request: Any, agent_id: UUID) -> HttpResponse:
    """Set how much the agent may spend in a month; of a helper too, by who manages the organisation."""
    agent = _for_budget(request, agent_id)
    form = BudgetForm(request.POST if request.method == "POST" else None, initial=vars(agent))
    if form.is_valid():
        try:
            change_agent_details(request.actor, agent_id=agent_id, changes=form.cleaned_data)
        except Invalid as error:
            refused(form, error)
        else:
            return done(request, _settings(agent_id), _("The budget is saved."))
    context = {"form": form, "budget": budget_of_agent(agent), "submit": _("Save")}
    return _dialog(request, "agent_budget", agent_id, title=_("Monthly budget"), **context)


@require_http_methods(["GET", "POST"])
def agent_archive(request: Any, agent_id: UUID) -> HttpResponse:
    """Take the agent out of use, after saying what that means."""
    agent = agent_to_edit(request.actor, agent_id)
    if request.method == "POST":
        archive_agent(request.actor, agent_id=agent_id)
        return done(request, _settings(agent_id), _("“%(name)s” is archived.") % {"name": agent.name})
    title = _("Archive “%(name)s”?") % {"name": agent.name}
    return _dialog(request, "archive_agent", agent_id, title=title, submit=_("Archive agent"), danger=True)


@require_http_methods(["GET", "POST"])
def agent_restore(request: Any, agent_id: UUID) -> HttpResponse:
    """Take an archived agent into use again, after asking."""
    agent = agent_to_edit(request.actor, agent_id)
    if request.method == "POST":
        restore_agent(request.actor, agent_id=agent_id)
        return done(request, _settings(agent_id), _("“%(name)s” is in use again.") % {"name": agent.name})
    title = _("Restore “%(name)s”?") % {"name": agent.name}
    return _dialog(request, "restore_agent", agent_id, title=title, submit=_("Restore agent"))


@require_http_methods(["GET", "POST"])
def agent_secret_new(request: Any, agent_id: UUID) -> HttpResponse:
    """Set a secret by a new name, or another value by one that stands."""
    agent_to_edit(request.actor, agent_id)
    form = SecretForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        status = _kept(request, agent_id, form, form.cleaned_data["name"])
        if not status:
            return done(request, _settings(agent_id, "secrets"), _("The secret is stored."))
    return _dialog(
        request, "secret", agent_id, title=_("Add a secret"), form=form, status=status, submit=_("Store secret")
    )


@require_http_methods(["GET", "POST"])
def agent_secret_change(request: Any, agent_id: UUID, secret_name: str) -> HttpResponse:
    """Another value for a secret that stands."""
    secret = secret_row(agent_to_edit(request.actor, agent_id), secret_name)
    form = SecretValueForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        status = _kept(request, agent_id, form, secret.name)
        if not status:
            return done(request, _settings(agent_id, "secrets"), _("The secret is stored."))
    title = _("Set %(name)s again") % {"name": secret.name}
    return _dialog(request, "secret", agent_id, title=title, form=form, status=status, submit=_("Store secret"))


@require_http_methods(["GET", "POST"])
def agent_secret_remove(request: Any, agent_id: UUID, secret_name: str) -> HttpResponse:
    """Forget a secret, after saying what uses it."""
    secret = secret_row(agent_to_edit(request.actor, agent_id), secret_name)
    if request.method == "POST":
        remove_secret(request.actor, agent_id=agent_id, name=secret.name)
        return done(request, _settings(agent_id, "secrets"), _("%(name)s is removed.") % {"name": secret.name})
    title = _("Remove the secret %(name)s?") % {"name": secret.name}
    submit = _("Remove secret")
    return _dialog(request, "remove_secret", agent_id, title=title, secret=secret, submit=submit, danger=True)


def _kept(request: Any, agent_id: UUID, form: Any, name: str) -> int:
    """0 where it is stored, else the status of the form that is shown again."""
    try:
        set_secret(request.actor, agent_id=agent_id, name=name, value=form.cleaned_data["value"])
    except Invalid as error:
        return refused(form, error)
    except Conflict as conflict:
        form.add_error(None, str(conflict))
        return 409
    return 0


def _for_budget(request: Any, agent_id: UUID) -> Agent:
    agent = find_agent(request.actor, agent_id)
    if not agent.is_helper:
        return agent_to_edit(request.actor, agent_id)
    access.require(request.actor, Permission.ORGANISATION_MANAGE)
    return agent


def _settings(agent_id: UUID, part: str = "") -> str:
    return agent_address(agent_id, tab="settings", part=part)


def _dialog(request: Any, body: str, agent_id: UUID, *, form: Any = None, **context: Any) -> HttpResponse:
    """In the standing dialog for htmx, else as a page; a refused form is 422."""
    context.setdefault("status", 422 if form is not None and form.is_bound else 200)
    back = _settings(agent_id)
    return dialog(request, body, back=back, app="agents", form=form, **context)
