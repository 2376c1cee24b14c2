"""The demonstration's agents, each for one of the demonstration's datasets: published, with a skill and knowledge."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

from accounts.actor import Actor
from agents.models import Agent, LanguageModel
from agents.operations.agent_drafts import read_draft, save_draft
from agents.operations.agent_versions import publish_agent
from agents.operations.agents import create_agent
from agents.operations.documents import add_document, prepare_document
from agents.operations.knowledge import create_knowledge_base
from agents.operations.language_models import connect_with_model
from agents.operations.skills import create_skill
from agents.queries.language_models import models_to_choose

FOLDER = Path(__file__).parent.parent / "demonstration"
# Nobody answers there: the agent can be looked at, and talks once a real model is chosen.
CONNECTION = {"name": "Demonstration", "provider": "compatible", "base_url": "https://models.kettle.example/v1"}
MODEL = {"name": "demonstration", "label": "Demonstration model", "input_price": Decimal(2), "output_price": Decimal(8)}


def load_agents(actor: Actor) -> list[Agent]:
    """Make those that are not there already, by name; gives the new ones. Everything goes by a person's operations."""
    wanted = json.loads((FOLDER / "agents.json").read_text())
    there = set(Agent.objects.filter(organisation_id=actor.organisation_id).values_list("name", flat=True))
    return [_made(actor, one) for one in wanted if one["name"] not in there]


def _made(actor: Actor, wanted: dict[str, Any]) -> Agent:
    agent = create_agent(actor, kind=wanted["kind"], name=wanted["name"], description=wanted["description"])
    draft = dict(wanted["draft"])
    if wanted["kind"] == "model":
        draft["model"] = str(_model(actor).pk)
        draft["skills"] = [{"id": str(create_skill(actor, **wanted["skill"]).pk)}]
        draft["knowledge"] = [_knowledge(actor, wanted["knowledge"])]
    save_draft(actor, agent_id=agent.pk, spec=read_draft(actor, agent_id=agent.pk, draft=draft))
    publish_agent(actor, agent_id=agent.pk, note=wanted["note"])
    return agent


def _model(actor: Actor) -> LanguageModel:
    return models_to_choose(actor).first() or connect_with_model(actor, connection=CONNECTION, model=MODEL)


def _knowledge(actor: Actor, wanted: dict[str, Any]) -> str:
    base = create_knowledge_base(actor, name=wanted["name"], description=wanted["description"])
    for name in wanted["documents"]:
        data = (FOLDER / name).read_bytes()
        prepared = prepare_document(actor, knowledge_base_id=base.pk, name=name, data=data)
        add_document(actor, knowledge_base_id=base.pk, prepared=prepared)
    return str(base.pk)
