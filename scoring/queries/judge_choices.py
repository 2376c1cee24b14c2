"""Which judges and models somebody may choose for a dataset's grading (SC-94, SC-D1)."""

from django.db.models import QuerySet

from accounts.actor import Actor
from agents.models import Agent, AgentState
from agents.queries.agents import visible_agents
from agents.queries.draft_parts import model_of

# The kind of an agent that grades by a dataset's criteria.
JUDGE_KIND = "judge"


def judges_to_choose(actor: Actor) -> QuerySet[Agent]:
    """The judge agents in use that the person sees, by name; whether one is published is said beside it."""
    return visible_agents(actor, kind=JUDGE_KIND, state=AgentState.ACTIVE).order_by("name_folded", "pk")


def is_judge(actor: Actor, agent_id: str) -> bool:
    """Whether this is a judge agent that the person sees, in use or not."""
    return visible_agents(actor, kind=JUDGE_KIND).filter(pk=agent_id).exists()


def is_model(actor: Actor, model_id: str) -> bool:
    """Whether the organisation has this model."""
    return model_of(actor.organisation_id, model_id) is not None
