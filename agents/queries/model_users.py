"""Which agents ask a model: what whoever removes it is told (PL-20, PL-21)."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import F, Q

from accounts.actor import Actor
from agents.models import Agent, AgentVersion


@dataclass(frozen=True)
class ModelUsers:
    """`answering` ask the model by their newest version, or as helpers; `drafting` name it in their draft alone."""

    answering: tuple[str, ...]
    drafting: tuple[str, ...]

    @property
    def is_used(self) -> bool:
        return bool(self.answering or self.drafting)


def agents_asking(actor: Actor, model_ids: Iterable[str]) -> ModelUsers:
    """The names of the agents, archived ones left out, that ask one of the models; two queries.

    Whoever manages connections sees every agent of the organisation (PL-4).
    """
    ids = set(model_ids)
    if not ids:
        return ModelUsers((), ())
    agents = Agent.objects.filter(organisation_id=actor.organisation_id).active()
    # The text is asked first, since what stands in the JSON is no column.
    drafts = agents.filter(reduce(or_, (Q(draft__contains=id_) for id_ in ids)))
    newest = AgentVersion.objects.filter(agent__in=agents.values("pk"), number=F("agent__newest_version"))
    published = newest.filter(reduce(or_, (Q(spec__contains=id_) for id_ in ids))).select_related("agent")
    answering = {version.agent.pk: version.agent.name for version in published if version.spec.get("model") in ids}
    naming = [agent for agent in drafts if agent.draft.get("model") in ids and agent.pk not in answering]
    answering |= {agent.pk: agent.name for agent in naming if agent.is_helper}
    drafting = [agent.name for agent in naming if not agent.is_helper]
    return ModelUsers(tuple(sorted(answering.values())), tuple(sorted(drafting)))
