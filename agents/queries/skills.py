"""Finding skills, and which agents use one (PL-24)."""

from functools import reduce
from operator import or_
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from accounts import access
from accounts.access import SharedQuerySet
from accounts.actor import Actor
from accounts.permissions import Permission
from agents.models import Agent, Skill
from core.folding import fold
from core.limits import LIMITS


def find_skill(actor: Actor, skill_id: UUID, permission: Permission = Permission.SKILLS_VIEW) -> Skill:
    """The skill with its owner. Raises `NotFound` where it may not be known, `NotAllowed` where more is needed."""
    return access.fetch(_rows(), actor, permission, pk=skill_id)


def visible_skills(actor: Actor, *, search: str = "") -> QuerySet[Skill]:
    """What the actor can see whose name holds the search, accents and case ignored (BC-53)."""
    rows = _rows().allowed(actor, Permission.SKILLS_VIEW)
    wanted = fold(search[: LIMITS.search_characters])
    return rows.filter(name_folded__contains=wanted) if wanted else rows


def skills_to_choose(actor: Actor) -> QuerySet[Skill]:
    """What the actor may give to an agent, by name."""
    return visible_skills(actor).order_by("name_folded", "pk")


def agents_using_skill(actor: Actor, skill: Skill) -> list[Agent]:
    """The agents that the actor can see whose draft names the skill, by name."""
    return [agent for agent in _agents_with(actor, [skill]) if str(skill.pk) in _skills_of(agent)]


def agents_by_skill(actor: Actor, skills: list[Skill]) -> dict[UUID, list[Agent]]:
    """The same for the skills of one page; a single query."""
    agents = [(agent, _skills_of(agent)) for agent in _agents_with(actor, skills)]
    return {skill.pk: [agent for agent, ids in agents if str(skill.pk) in ids] for skill in skills}


def other_drafts_using_skill(actor: Actor, skill: Skill) -> int:
    """How many agents that the actor cannot see name it in their drafts: a number, nothing that tells which."""
    everybody = Agent.objects.filter(organisation_id=skill.organisation_id, draft__contains=skill.id_text)
    return sum(skill.id_text in _skills_of(agent) for agent in everybody) - len(agents_using_skill(actor, skill))


def _agents_with(actor: Actor, skills: list[Skill]) -> list[Agent]:
    """Those whose draft holds one of the ids anywhere: the text is asked first, since JSON in it is no column."""
    if not skills:
        return []
    named = reduce(or_, [Q(draft__contains=skill.id_text) for skill in skills])
    seen = Agent.objects.allowed(actor, Permission.AGENTS_VIEW)
    return list(seen.filter(named).order_by("name_folded", "pk"))


def _skills_of(agent: Agent) -> set[str]:
    listed: list[Any] = agent.draft.get("skills") or []
    return {str(one.get("id")) for one in listed}


def _rows() -> SharedQuerySet[Skill]:
    return Skill.objects.select_related("owner__user")
