"""Reading a whole draft from outside, by the kind of its agent, and what still keeps it from being published (PL-21).

A draft may be unfinished: without a model, without an address. What it says must be right all the same, so that every
problem is named where it is typed. What else stands in the organisation (models, skills, secrets) is asked elsewhere.
"""

from collections.abc import Callable
from typing import Any

from agents.logic.specs import (
    KINDS,
    MAX_STEPS,
    OPENAI,
    PROTOCOLS,
    SECONDS,
    SPEC_FIELDS,
    EndpointSpec,
    ExternalSpec,
    JudgeSpec,
    ModelSpec,
    SkillSpec,
    Spec,
)
from agents.logic.specs_surroundings import Surroundings
from agents.logic.specs_tools import read_tools
from agents.logic.specs_values import (
    Reader,
    read_address,
    read_id,
    read_line,
    read_secret_name,
    read_temperature,
    read_whole,
    read_words,
)
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import Found, read_list, unknown_keys, wrong_type


def read_spec(kind: str, raw: Any, around: Surroundings) -> tuple[Spec, list[Problem]]:
    """The draft of an agent of this kind, and every problem with the path of its field; left out is the default."""
    if not isinstance(raw, dict):
        return KINDS[kind](), [wrong_type(gettext_noop("A draft is an object, not %(type)s."), raw)]
    problems = list(unknown_keys(raw, SPEC_FIELDS[kind]))
    found = {}
    for field, read in READERS[kind](around).items():
        found[field], wrong = read(raw.get(field))
        problems += [problem.under(field) for problem in wrong]
    return KINDS[kind](**found), problems


def missing(spec: Spec) -> list[Problem]:
    """What a well-formed draft lacks before it can be published, each with the path of its field."""
    return list(MISSING[type(spec)](spec))


# --- By kind


def _model_readers(around: Surroundings) -> dict[str, Reader]:
    return {
        "instructions": lambda text: read_words(text, LIMITS.instructions_characters),
        "model": _model,
        "temperature": read_temperature,
        "max_steps": lambda number: read_whole(number, MAX_STEPS, LIMITS.agent_steps),
        "seconds": _seconds,
        "tools": lambda tools: read_tools(tools, around, called=True),
        "skills": _skills,
        "knowledge": lambda ids: _once(*read_list(ids, LIMITS.agent_knowledge_bases, read_id)),
    }


def _endpoint_readers(around: Surroundings) -> dict[str, Reader]:
    return {
        "protocol": _protocol,
        "url": lambda address: read_address(address, around.allowed_hosts),
        "model": lambda name: read_line(name, LIMITS.model_name_characters),
        "secret": read_secret_name,
        "seconds": _seconds,
        "tools": lambda tools: read_tools(tools, around, called=False),
    }


def _external_readers(around: Surroundings) -> dict[str, Reader]:
    return {"tools": lambda tools: read_tools(tools, around, called=False)}


def _judge_readers(_around: Surroundings) -> dict[str, Reader]:
    return {
        "instructions": lambda text: read_words(text, LIMITS.instructions_characters),
        "model": _model,
        "temperature": _judge_temperature,
    }


READERS: dict[str, Callable[[Surroundings], dict[str, Reader]]] = {
    ModelSpec.kind: _model_readers,
    EndpointSpec.kind: _endpoint_readers,
    ExternalSpec.kind: _external_readers,
    JudgeSpec.kind: _judge_readers,
}


def _model(value: Any) -> Found:
    return (None, []) if value in (None, "") else read_id(value)


def _judge_temperature(value: Any) -> Found:
    """Nothing is 0 here: a judge that is left to its model's own grades the same answer now so, now otherwise."""
    found, problems = read_temperature(value)
    return found or 0, problems


def _seconds(value: Any) -> Found:
    return read_whole(value, SECONDS, LIMITS.agent_seconds)


def _protocol(value: Any) -> Found:
    if value is None or value in PROTOCOLS:
        return value or OPENAI, []
    return OPENAI, [Problem("", gettext_noop("This is one of: %(known)s."), {"known": ", ".join(PROTOCOLS)})]


def _skills(value: Any) -> Found:
    return _once(*read_list(value, LIMITS.agent_skills, _skill))


def _skill(value: Any) -> Found:
    if not isinstance(value, dict):
        return SkillSpec(""), [wrong_type(gettext_noop("A skill is an object with its id, not %(type)s."), value)]
    id_, problems = read_id(value.get("id"))
    return SkillSpec(id_), [*unknown_keys(value, ("id",)), *(problem.under("id") for problem in problems)]


def _once(items: tuple[Any, ...], problems: list[Problem]) -> Found:
    """The list without repeats: naming a thing twice says no more than naming it once."""
    return (items if problems else tuple(dict.fromkeys(items))), problems


# --- What a version needs


def _model_lacks(spec: ModelSpec) -> list[Problem]:
    lacks = [] if spec.model else [Problem("model", gettext_noop("Choose a model."))]
    if not spec.instructions.strip():
        lacks.append(Problem("instructions", gettext_noop("Write the instructions.")))
    for place, tool in enumerate(spec.tools):
        if not tool.description.strip():
            words = gettext_noop("Say what the tool does: the model decides by it.")
            lacks.append(Problem(f"tools.{place}.description", words))
        if not tool.endpoint:
            lacks.append(Problem(f"tools.{place}.endpoint", gettext_noop("Enter the address that is called.")))
    return lacks


def _endpoint_lacks(spec: EndpointSpec) -> list[Problem]:
    return [] if spec.url else [Problem("url", gettext_noop("Enter the address that is called."))]


def _external_lacks(_spec: ExternalSpec) -> list[Problem]:
    return []


def _judge_lacks(spec: JudgeSpec) -> list[Problem]:
    return [] if spec.model else [Problem("model", gettext_noop("Choose a model."))]


MISSING: dict[type[Spec], Callable[[Any], list[Problem]]] = {
    ModelSpec: _model_lacks,
    EndpointSpec: _endpoint_lacks,
    ExternalSpec: _external_lacks,
    JudgeSpec: _judge_lacks,
}
