"""What publishing a draft would make, or why it cannot be published yet (PL-21)."""

from dataclasses import dataclass

from agents.logic.specs import ModelSpec, Spec, secrets_of, spec_of
from agents.logic.specs_reading import missing
from agents.models import Agent, AgentSecret
from agents.queries.draft_parts import NO_TEMPERATURE, model_of
from core.problems import Problem, gettext_noop


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
        problems += _gone(agent, spec)
    return Publishing(spec, tuple(problems))


def _unknown_secrets(agent: Agent, spec: Spec) -> list[Problem]:
    used = secrets_of(spec)
    known = set(AgentSecret.objects.filter(agent=agent).values_list("name", flat=True)) if used else set()
    words = gettext_noop("The agent has no secret “%(name)s”. Set it, or choose another.")
    return [Problem(path, words, {"name": name}) for path, name in used.items() if name not in known]


def _gone(agent: Agent, spec: ModelSpec) -> list[Problem]:
    model = model_of(agent.organisation_id, spec.model)
    if spec.model and model is None:
        return [Problem("model", gettext_noop("This model was removed. Choose another."))]
    if model and spec.temperature is not None and not model.takes_temperature:
        return [Problem("temperature", NO_TEMPERATURE)]
    return []
