"""The list of agents as people read it: with the model of the newest version and what was spent this month (PL-25)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db.models import F

from agents.logic.specs import EndpointSpec, JudgeSpec, ModelSpec, spec_of
from agents.models import Agent, AgentVersion, LanguageModel
from agents.queries.spending import spent_by_agents

# What names a model of the organisation.
ASKING = (ModelSpec, JudgeSpec)


@dataclass(frozen=True)
class AgentRow:
    """One agent of the list. `model` is the label of its model, an endpoint's own name of it, or nothing."""

    agent: Agent
    model: str
    spent: Decimal

    @property
    def is_over_budget(self) -> bool:
        return self.agent.monthly_budget is not None and self.spent >= self.agent.monthly_budget


def agent_rows(agents: Sequence[Agent]) -> list[AgentRow]:
    """The rows of a page in its order; three queries, however many agents there are."""
    spent = spent_by_agents([agent.pk for agent in agents])
    models = _models_of(agents)
    return [AgentRow(agent, models.get(agent.pk, ""), spent[agent.pk]) for agent in agents]


def _models_of(agents: Sequence[Agent]) -> dict[UUID, str]:
    """What each agent asks: by its newest version, or by its draft before the first."""
    newest = AgentVersion.objects.filter(agent__in=agents, number=F("agent__newest_version"))
    specs: dict[UUID, Any] = {agent.pk: agent.draft for agent in agents} | dict(newest.values_list("agent_id", "spec"))
    read = {agent.pk: spec_of(agent.kind, specs[agent.pk]) for agent in agents}
    ids = {spec.model for spec in read.values() if isinstance(spec, ASKING) and spec.model}
    labels = {str(id_): label for id_, label in LanguageModel.objects.filter(pk__in=ids).values_list("pk", "label")}
    own = {id_: spec.model for id_, spec in read.items() if isinstance(spec, EndpointSpec)}
    return own | {id_: labels.get(spec.model or "", "") for id_, spec in read.items() if isinstance(spec, ASKING)}
