"""An agent that answers with the small model on this machine, in the organisation of who tries Casebook out."""

from decimal import Decimal
from typing import Any

from django.db import transaction

from accounts.actor import Actor
from accounts.models import Member
from agents.logic.specs import ModelSpec
from agents.logic.targets import Provider
from agents.models import Agent, AgentKind, Connection, LanguageModel
from agents.operations.agent_drafts import save_draft
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import create_agent
from agents.operations.connections import add_connection
from agents.operations.language_models import add_model
from config.local_model import ADDRESS, CONTEXT_TOKENS, MODEL

LABEL = "SmolLM2 135M (on this machine)"
CONNECTION, AGENT = "On this machine", "Small local model"
DESCRIPTION = "Answers with a very small model on this machine, without a key. It is quick, and often wrong."
INSTRUCTIONS = "You are a friendly assistant. Answer in one or two short sentences."
SECONDS = 300  # the first answer on a slow machine takes its time
FREE = Decimal(0)


def owner_to_add_for() -> Member | None:
    """An Owner of the oldest organisation, the demonstration's where there is one; None before anybody set up."""
    owners = Member.objects.owners().select_related("user", "organisation")
    return owners.order_by("organisation__created_at", "joined_at").first()


@transaction.atomic
def add_local_agent(owner: Member) -> Agent:
    """Connect the server in the owner's organisation, and have an agent that answers with it; what is there stays."""
    actor = Actor.of_member(owner)
    model = _model(actor)
    made = Agent.objects.tested().filter(organisation=owner.organisation, name=AGENT).first()
    if made is not None:
        return made
    agent = create_agent(actor, kind=AgentKind.MODEL, name=AGENT, description=DESCRIPTION)
    save_draft(actor, agent_id=agent.pk, spec=ModelSpec(INSTRUCTIONS, str(model.pk), seconds=SECONDS))
    publish_agent(actor, agent_id=agent.pk)
    return agent


def _model(actor: Actor) -> LanguageModel:
    connection = Connection.objects.filter(organisation=actor.organisation, base_url=ADDRESS).first()
    if connection is None:
        connection = add_connection(actor, name=CONNECTION, provider=Provider.COMPATIBLE, base_url=ADDRESS)
    model = LanguageModel.objects.filter(connection=connection, name=MODEL).first()
    if model is not None:
        return model
    about: dict[str, Any] = {
        "label": LABEL,
        "context_tokens": CONTEXT_TOKENS,
        "input_price": FREE,
        "output_price": FREE,
    }
    return add_model(actor, connection_id=connection.pk, name=MODEL, **about)
