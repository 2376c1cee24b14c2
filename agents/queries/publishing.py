"""What publishing a draft would make, or why it cannot be published yet (PL-21, PL-24)."""

from dataclasses import dataclass, replace

from agents.logic.specs import JudgeSpec, ModelSpec, Spec, secrets_of, spec_of
from agents.logic.specs_reading import missing
from agents.models import Agent, AgentSecret
from agents.queries.draft_parts import NO_TEMPERATURE, knowledge_names, model_of, skill_texts
from core.problems import Problem, gettext_noop

NO_SECRET = gettext_noop("The agent has no secret “%(name)s”. Set it, or choose another.")
GONE_MODEL = gettext_noop("This model was removed. Choose another.")
GONE_SKILL = gettext_noop("A skill was deleted. Take it out.")
GONE_KNOWLEDGE = gettext_noop("A knowledge base was deleted. Take it out.")


@dataclass(frozen=True)
class Publishing:
    """The specification as the version would hold it, and everything that keeps it from being published."""

    spec: Spec
    problems: tuple[Problem, ...]


def what_publishing_makes(agent: Agent) -> Publishing:
    """The draft with the text of its skills, and its problems."""
    spec = spec_of(agent.kind, agent.draft)
    problems = [*missing(spec), *_unknown_secrets(agent, spec)]
    if isinstance(spec, ModelSpec):
        spec, gone = _completed(agent, spec)
        problems += gone
    elif isinstance(spec, JudgeSpec) and spec.model and model_of(agent.organisation_id, spec.model) is None:
        problems.append(Problem("model", GONE_MODEL))
    return Publishing(spec, tuple(problems))


def _unknown_secrets(agent: Agent, spec: Spec) -> list[Problem]:
    used = secrets_of(spec)
    known = set(AgentSecret.objects.filter(agent=agent).values_list("name", flat=True)) if used else set()
    return [Problem(path, NO_SECRET, {"name": name}) for path, name in used.items() if name not in known]


def _completed(agent: Agent, spec: ModelSpec) -> tuple[ModelSpec, list[Problem]]:
    model = model_of(agent.organisation_id, spec.model)
    problems = [Problem("model", GONE_MODEL)] if spec.model and model is None else []
    if model and spec.temperature is not None and not model.takes_temperature:
        problems.append(Problem("temperature", NO_TEMPERATURE))
    skills = skill_texts(agent.organisation_id, spec.skills)
    problems += [Problem(f"skills.{place}", GONE_SKILL) for place, skill in enumerate(skills) if skill is None]
    there = knowledge_names(agent.organisation_id, spec.knowledge)
    lost = [place for place, id_ in enumerate(spec.knowledge) if id_ not in there]
    problems += [Problem(f"knowledge.{place}", GONE_KNOWLEDGE) for place in lost]
    return replace(spec, skills=tuple(skill for skill in skills if skill)), problems
