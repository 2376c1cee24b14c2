"""The skills and knowledge bases to choose from for an agent, those it has already included (PL-24)."""

from typing import Any

from django.utils.translation import gettext as _

from accounts.actor import Actor
from agents.logic.specs import ModelSpec
from agents.queries.draft_parts import knowledge_names, skill_texts
from agents.queries.knowledge import knowledge_to_choose
from agents.queries.skills import skills_to_choose

Choices = list[tuple[str, Any]]


def skill_choices(actor: Actor, spec: ModelSpec) -> Choices:
    """By name; what another editor attached stays a choice, and what was deleted says so."""
    choices: Choices = [(str(id_), name) for id_, name in skills_to_choose(actor).values_list("pk", "name")]
    known = dict(choices)
    others = [skill for skill in spec.skills if skill.id not in known]
    found = skill_texts(actor.organisation_id, others) if others else []
    deleted = _("A skill that was deleted")
    named = [(skill.id, text.name if text else deleted) for skill, text in zip(others, found, strict=True)]
    return choices + named


def knowledge_choices(actor: Actor, spec: ModelSpec) -> Choices:
    """The same for knowledge bases."""
    choices: Choices = [(str(id_), name) for id_, name in knowledge_to_choose(actor).values_list("pk", "name")]
    known = dict(choices)
    others = [id_ for id_ in spec.knowledge if id_ not in known]
    names = knowledge_names(actor.organisation_id, others)
    deleted = _("A knowledge base that was deleted")
    return choices + [(id_, names.get(id_, deleted)) for id_ in others]
