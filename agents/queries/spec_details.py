"""A specification as people read it: with the names of its model and its knowledge bases (PL-21)."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from agents.logic.specs import JudgeSpec, ModelSpec, SkillSpec, Spec
from agents.logic.specs_difference import Change
from agents.models import Agent, LanguageModel
from agents.queries.draft_parts import knowledge_names, model_of, skill_texts
from core.errors import Problem as SaidProblem
from core.problems import Problem
from core.refusals import said

FIELD_WORDS = {
    "instructions": lambda: _("Instructions"),
    "model": lambda: _("Model"),
    "temperature": lambda: _("Temperature"),
    "max_steps": lambda: _("Steps at most"),
    "seconds": lambda: _("Seconds at most"),
    "protocol": lambda: _("How it is asked"),
    "url": lambda: _("Address"),
    "secret": lambda: _("Secret"),
    "tools": lambda: _("Order of the tools"),
    "description": lambda: _("Description"),
    "parameters": lambda: _("Parameters"),
    "read_only": lambda: _("Only reads"),
    "endpoint": lambda: _("Address"),
    "stub": lambda: _("Result in test runs"),
}


@dataclass(frozen=True)
class SpecDetails:
    """`model` is None where none is chosen or it was removed; `skills` and `knowledge` are those still there."""

    spec: Spec
    model: LanguageModel | None
    skills: tuple[SkillSpec, ...]
    knowledge: tuple[str, ...]
    lost: int

    @property
    def model_is_lost(self) -> bool:
        return self.model is None and isinstance(self.spec, ModelSpec | JudgeSpec) and bool(self.spec.model)


def spec_details(agent: Agent, spec: Spec) -> SpecDetails:
    """The specification of a draft, whose skills are read as they are now, or of a version, which holds its own."""
    if isinstance(spec, JudgeSpec):
        return SpecDetails(spec, model_of(agent.organisation_id, spec.model), (), (), 0)
    if not isinstance(spec, ModelSpec):
        return SpecDetails(spec, None, (), (), 0)
    bare = [skill for skill in spec.skills if not skill.name]
    today = {skill.id: skill for skill in skill_texts(agent.organisation_id, bare) if skill} if bare else {}
    skills = [skill if skill.name else today.get(skill.id) for skill in spec.skills]
    names = knowledge_names(agent.organisation_id, spec.knowledge)
    there = tuple(names[id_] for id_ in spec.knowledge if id_ in names)
    kept = tuple(skill for skill in skills if skill)
    lost = len(skills) - len(kept) + len(spec.knowledge) - len(there)
    return SpecDetails(spec, model_of(agent.organisation_id, spec.model), kept, there, lost)


@dataclass(frozen=True)
class NamedChange:
    """A change with words for its field; `before` and `after` as people read them, None where there is no such part."""

    label: str
    before: str | None
    after: str | None


def named_changes(agent: Agent, changes: Iterable[Change]) -> list[NamedChange]:
    """The rows of a comparison in words; at most two queries."""
    rows = list(changes)
    models = _model_names(agent, rows)
    ids = [row.field.partition(".")[2] for row in rows if row.field.startswith("knowledge.")]
    knowledge = knowledge_names(agent.organisation_id, ids)
    return [_named(row, models, knowledge) for row in rows]


def _named(row: Change, models: dict[str, str], knowledge: dict[str, str]) -> NamedChange:
    noun, _dot, rest = row.field.partition(".")
    if noun == "knowledge" and rest:
        name = knowledge.get(rest, _("one that was deleted"))
        return NamedChange(
            _("Knowledge base"), None if row.before is None else name, None if row.after is None else name
        )
    if noun == "skills":
        name = (row.after or row.before or "").partition("\n")[0]
        return NamedChange(_("Skill “%(name)s”") % {"name": name}, row.before, row.after)
    if noun == "tools" and rest:
        name, _dot, part = rest.partition(".")
        told = _("Tool %(name)s: %(field)s") if part else _("Tool %(name)s")
        return NamedChange(told % {"name": name, "field": FIELD_WORDS[part]() if part else ""}, row.before, row.after)
    if noun == "model":
        return NamedChange(FIELD_WORDS[noun](), *(models.get(text or "", text) for text in (row.before, row.after)))
    return NamedChange(FIELD_WORDS[noun](), row.before, row.after)


@dataclass(frozen=True)
class NamedProblem:
    """What keeps a draft from being published, with words for its place and the part of the page it stands in."""

    label: str
    message: str
    tab: str


def named_problems(spec: Spec, problems: Iterable[Problem]) -> list[NamedProblem]:
    """The problems of a draft with the names of tools and fields in place of their paths."""
    return [_named_problem(spec, said(problem)) for problem in problems]


def _named_problem(spec: Spec, problem: SaidProblem) -> NamedProblem:
    noun, _dot, rest = problem.field.partition(".")
    if noun == "tools" and rest:
        place, _dot, part = rest.partition(".")
        words = _("Tool %(name)s: %(field)s") % {"name": spec.tools[int(place)].name, "field": FIELD_WORDS[part]()}
        return NamedProblem(words, problem.message, "tools")
    if noun in ("skills", "knowledge"):
        return NamedProblem(_("Knowledge and skills"), problem.message, "knowledge")
    return NamedProblem(FIELD_WORDS[noun](), problem.message, "")


def _model_names(agent: Agent, rows: list[Change]) -> dict[str, str]:
    """Labels of the models that a row names, by id; an endpoint's own name of its model stays as it is."""
    if agent.kind not in (ModelSpec.kind, JudgeSpec.kind):
        return {}
    ids = {text for row in rows if row.field == "model" for text in (row.before, row.after) if text}
    found = LanguageModel.objects.filter(connection__organisation_id=agent.organisation_id, pk__in=ids)
    labels = {str(id_): label for id_, label in found.values_list("pk", "label")} if ids else {}
    return {id_: labels.get(id_, _("a model that was removed")) for id_ in ids}
