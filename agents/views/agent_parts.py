"""What each part of an agent's page shows: its own form or words, by the part's name."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from accounts.views.sharing import sharing_context
from agents.forms.agent_drafts import EndpointDraftForm, JudgeDraftForm, ModelDraftForm, PartsDraftForm
from agents.logic.sending_examples import sending_examples
from agents.logic.specs import EndpointSpec, ModelSpec, spec_of
from agents.models import Agent
from agents.queries.agent_secrets import secret_rows, secrets_in_order
from agents.queries.agents import versions_of
from agents.queries.language_models import models_to_choose
from agents.queries.part_choices import knowledge_choices, skill_choices
from agents.queries.spec_details import spec_details
from agents.queries.spending import budget_of_agent
from agents.views.agent_addresses import agent_address
from agents.views.agent_sharing import SHARING
from core.limits import LIMITS

Context = dict[str, Any]
SETTINGS_PARTS = (("details", _("Details")), ("secrets", _("Secrets")), ("sharing", _("Sharing")))


def part_context(actor: Actor, agent: Agent, tab: str, query: Mapping[str, str], page: Context) -> Context:
    """The context of one part; `page` is what stands around it."""
    return PARTS[tab](actor, agent, query, page)


def instructions_form(actor: Actor, agent: Agent, data: Any = None) -> ModelDraftForm:
    """What the model is told, as it is in the draft or as it was sent."""
    spec: Any = spec_of(agent.kind, agent.draft)
    return ModelDraftForm(data, spec=spec, models=models_to_choose(actor), revision=agent.draft_revision)


def judging_form(actor: Actor, agent: Agent, data: Any = None) -> JudgeDraftForm:
    """What a judge is told besides its task, and its model, as in the draft or as it was sent."""
    spec: Any = spec_of(agent.kind, agent.draft)
    return JudgeDraftForm(data, spec=spec, models=models_to_choose(actor), revision=agent.draft_revision)


def endpoint_form(actor: Actor, agent: Agent, data: Any = None) -> EndpointDraftForm:
    """Where the agent answers, as it is in the draft or as it was sent."""
    spec: Any = spec_of(agent.kind, agent.draft)
    names = [secret.name for secret in secrets_in_order(agent)]
    return EndpointDraftForm(data, spec=spec, secrets=names, revision=agent.draft_revision)


def parts_form(actor: Actor, agent: Agent, data: Any = None) -> PartsDraftForm:
    """Which skills and knowledge bases the draft has, or those that were sent."""
    spec: Any = spec_of(agent.kind, agent.draft)
    choices: Any = {"skills": skill_choices(actor, spec), "knowledge": knowledge_choices(actor, spec)}
    return PartsDraftForm(data, spec=spec, revision=agent.draft_revision, **choices)


def _instructions(actor: Actor, agent: Agent, query: Mapping[str, str], page: Context) -> Context:
    if page["can_change"]:
        return {"form": instructions_form(actor, agent)}
    return {"details": spec_details(agent, spec_of(agent.kind, agent.draft))}


def _judging(actor: Actor, agent: Agent, query: Mapping[str, str], page: Context) -> Context:
    if page["can_change"]:
        return {"form": judging_form(actor, agent)}
    return {"details": spec_details(agent, spec_of(agent.kind, agent.draft))}


def _endpoint(actor: Actor, agent: Agent, query: Mapping[str, str], page: Context) -> Context:
    if page["can_change"]:
        return {"form": endpoint_form(actor, agent)}
    return {"details": spec_details(agent, spec_of(agent.kind, agent.draft))}


def _external(actor: Actor, agent: Agent, query: Mapping[str, str], page: Context) -> Context:
    return {"examples": sending_examples(agent.id_text, settings.BASE_URL), "keys_address": reverse("api_key_list")}


def _tools(actor: Actor, agent: Agent, query: Mapping[str, str], page: Context) -> Context:
    return {"tools": spec_of(agent.kind, agent.draft).tools, "most_tools": LIMITS.agent_tools}


def _knowledge(actor: Actor, agent: Agent, query: Mapping[str, str], page: Context) -> Context:
    shown: Context = {"details": spec_details(agent, spec_of(agent.kind, agent.draft))}
    return shown | ({"form": parts_form(actor, agent)} if page["can_change"] else {})


def _versions(actor: Actor, agent: Agent, query: Mapping[str, str], page: Context) -> Context:
    return {"versions": list(versions_of(agent)[: LIMITS.versions_listed]), "listed": LIMITS.versions_listed}


def _settings(actor: Actor, agent: Agent, query: Mapping[str, str], page: Context) -> Context:
    names = [name for name, _label in SETTINGS_PARTS if name != "secrets" or _has_secrets(agent, page)]
    current = query.get("part", "")
    current = current if current in names else names[0]
    links = [
        {"label": label, "href": agent_address(agent.pk, tab="settings", part=name), "is_current": name == current}
        for name, label in SETTINGS_PARTS
        if name in names
    ]
    shown: Context = {"parts": links, "part": current}
    if current == "sharing":
        return shown | sharing_context(actor, SHARING, agent, may_edit=page["may_edit"])
    if current == "secrets":
        return shown | {"secrets": secret_rows(agent), "most_secrets": LIMITS.agent_secrets}
    return shown | {"budget": budget_of_agent(agent)}


def _has_secrets(agent: Agent, page: Context) -> bool:
    """Only what Casebook calls needs some, and only editors know their names."""
    return agent.kind in (ModelSpec.kind, EndpointSpec.kind) and bool(page["may_edit"])


PARTS: dict[str, Callable[[Actor, Agent, Mapping[str, str], Context], Context]] = {
    "instructions": _instructions,
    "endpoint": _endpoint,
    "external": _external,
    "judging": _judging,
    "tools": _tools,
    "knowledge": _knowledge,
    "versions": _versions,
    "settings": _settings,
}
