"""What a draft names outside of itself: models, skills, knowledge bases, as far as an editor may see them (BC-46)."""

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from accounts.actor import Actor
from agents.logic.specs import JudgeSpec, ModelSpec, SkillSpec, Spec
from agents.models import KnowledgeBase, LanguageModel, Skill
from agents.queries.knowledge import visible_knowledge
from agents.queries.skills import visible_skills
from core.problems import Problem, gettext_noop

NO_MODEL = gettext_noop("There is no model of this id.")
NO_TEMPERATURE = gettext_noop("This model takes no temperature.")
NO_SKILL = gettext_noop("There is no skill of this id.")
NO_KNOWLEDGE = gettext_noop("There is no knowledge base of this id.")


def strange_parts(actor: Actor, spec: Spec, *, before: Spec) -> list[Problem]:
    """A problem for each id that `before` did not name and that is none for this actor.

    What another editor attached stays, so that nobody loses it by saving a part they may not see.
    """
    if isinstance(spec, JudgeSpec) and isinstance(before, JudgeSpec):
        return _model_problems(actor, spec, before)
    if not isinstance(spec, ModelSpec) or not isinstance(before, ModelSpec):
        return []
    skills, known = [skill.id for skill in spec.skills], {skill.id for skill in before.skills}
    return [
        *_model_problems(actor, spec, before),
        *(Problem(f"skills.{place}.id", NO_SKILL) for place in _strange(visible_skills(actor), skills, known)),
        *(
            Problem(f"knowledge.{place}", NO_KNOWLEDGE)
            for place in _strange(visible_knowledge(actor), spec.knowledge, before.knowledge)
        ),
    ]


def _strange(seen: QuerySet[Any], ids: Iterable[str], known: Collection[str]) -> list[int]:
    """The places of those that are neither known nor seen."""
    new = {id_: place for place, id_ in enumerate(ids) if id_ not in known}
    there = ids_of(seen, new) if new else set()
    return [place for id_, place in new.items() if id_ not in there]


def ids_of(rows: QuerySet[Any], wanted: Iterable[str]) -> set[str]:
    """Those of the ids that are among the rows, in one query."""
    return {str(id_) for id_ in rows.filter(pk__in=[UUID(id_) for id_ in wanted]).values_list("pk", flat=True)}


def _model_problems(actor: Actor, spec: ModelSpec | JudgeSpec, before: ModelSpec | JudgeSpec) -> list[Problem]:
    """A judge's temperature is no problem: it is 0 from the first, and left out where the model takes none (SC-98)."""
    if not spec.model:
        return []
    model = model_of(actor.organisation_id, spec.model)
    if model is None:
        return [] if spec.model == before.model else [Problem("model", NO_MODEL)]
    if isinstance(spec, ModelSpec) and spec.temperature is not None and not model.takes_temperature:
        return [Problem("temperature", NO_TEMPERATURE)]
    return []


def model_of(organisation_id: Any, model_id: str | None) -> LanguageModel | None:
    """The organisation's model of that id with its connection, or None where it was removed or none is chosen."""
    rows = LanguageModel.objects.filter(connection__organisation_id=organisation_id).select_related("connection")
    return rows.filter(pk=UUID(model_id)).first() if model_id else None


def skill_texts(organisation_id: Any, skills: Iterable[SkillSpec]) -> list[SkillSpec | None]:
    """Each skill with its name and text of today, None where it is gone; one query.

    Whoever gave a skill to the agent saw it; from then on its text is shown to everybody who sees the agent.
    """
    wanted = [skill.id for skill in skills]
    rows = Skill.objects.filter(organisation_id=organisation_id, pk__in=[UUID(id_) for id_ in wanted])
    found = {str(row.pk): SkillSpec(str(row.pk), row.name, row.text) for row in rows} if wanted else {}
    return [found.get(id_) for id_ in wanted]


def knowledge_names(organisation_id: Any, ids: Iterable[str]) -> dict[str, str]:
    """The names of the knowledge bases that are still there, by id; one query."""
    wanted = [UUID(id_) for id_ in ids]
    rows = KnowledgeBase.objects.filter(organisation_id=organisation_id, pk__in=wanted)
    return {str(id_): name for id_, name in rows.values_list("pk", "name")} if wanted else {}
