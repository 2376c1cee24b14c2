"""The list of agents, and making one (PL-21)."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from accounts.views.answers import done, refused
from agents.forms.agents import KIND_SENTENCES, AgentFilter, NewAgentForm
from agents.operations.agents import create_agent
from agents.operations.helper_agents import ensure_helpers
from agents.queries.agent_rows import AgentRow, agent_rows
from agents.queries.agents import helpers_of, visible_agents
from agents.views.agent_addresses import agent_address
from core.errors import Invalid
from core.limits import LIMITS
from core.pages import respond

ORDERS = {"name": ("name_folded", "pk"), "changed": ("changed_at", "pk")}


@require_safe
def agent_list(request: Any) -> HttpResponse:
    """What the member can see, last changed first; below it the helpers, for who sets their budgets."""
    chosen = AgentFilter(request.GET)
    sort = request.GET.get("sort", "")
    sort = sort if sort.removeprefix("-") in ORDERS else "-changed"
    sign = "-" if sort.startswith("-") else ""
    wanted = chosen.wanted()
    rows = visible_agents(request.actor, **wanted)
    ordered = rows.order_by(*[sign + column for column in ORDERS[sort.removeprefix("-")]])
    page = Paginator(ordered, LIMITS.page_size).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "rows": agent_rows(list(page.object_list)),
        "filter": chosen,
        "is_filtered": wanted != AgentFilter({}).wanted(),
        "may_create": access.may(request.actor, Permission.AGENTS_EDIT),
        "helpers": _helpers(request.actor),
    }
    return respond(request, "agents/agent_list.html", context, part="table")


def _helpers(actor: Actor) -> list[AgentRow]:
    """Those of the organisation, for who sets their budgets; an organisation that has none yet gets them here."""
    if not access.may(actor, Permission.ORGANISATION_MANAGE):
        return []
    ensure_helpers(actor.organisation)
    return agent_rows(list(helpers_of(actor)))


@require_http_methods(["GET", "POST"])
def agent_new(request: Any) -> HttpResponse:
    """The form of a new agent, in a dialog or as a page; the agent opens as soon as it exists."""
    access.require(request.actor, Permission.AGENTS_EDIT)
    form = NewAgentForm(request.POST or None)
    if form.is_valid():
        try:
            agent = create_agent(request.actor, **form.cleaned_data)
        except Invalid as error:
            refused(form, error)
        else:
            messages.success(request, _("The agent is there. What you write is a draft until you publish it."))
            return done(request, agent_address(agent.pk))
    context = {"form": form, "kinds": KIND_SENTENCES, "kind": form["kind"].value()}
    return respond(request, "agents/agent_new.html", context, part="dialog", status=422 if form.is_bound else 200)
