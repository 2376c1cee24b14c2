"""What a version of an agent says, by its kind: frozen, and the same as the JSON that is stored (PL-21, PL-22)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, ClassVar

# The tool by which a model reads its knowledge bases (PL-24); no tool of an agent may take its name.
SEARCH_KNOWLEDGE = "search_knowledge"
MAX_STEPS, SECONDS = 10, 120  # what a new agent begins with
OPENAI, JSON = "openai", "json"
PROTOCOLS = (OPENAI, JSON)


@dataclass(frozen=True)
class ToolSpec:
    """A tool. Casebook calls `endpoint` for an agent of kind model; for other kinds a tool is only declared.

    `parameters` is a JSON schema of draft 2020-12 for an object, {} where it is not declared. `secret` names an
    AgentSecret, empty for none. `stub` is what an isolated run gives back instead of calling; None is the fixed words.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    read_only: bool = False
    endpoint: str = ""
    secret: str = ""
    stub: str | None = None


@dataclass(frozen=True)
class SkillSpec:
    """A skill: in a draft its id alone, in a version with the name and the text of the day it was published."""

    id: str
    name: str = ""
    text: str = ""


@dataclass(frozen=True)
class ModelSpec:
    """An agent that Casebook runs. `model` is the id of a LanguageModel, None while none is chosen.

    `temperature` None is the model's own. The loop stops at `max_steps` model calls or after `seconds` (PL-23).
    `knowledge` are ids of knowledge bases, which are read as they are on the day.
    """

    kind: ClassVar[str] = "model"

    instructions: str = ""
    model: str | None = None
    temperature: float | None = None
    max_steps: int = MAX_STEPS
    seconds: int = SECONDS
    tools: tuple[ToolSpec, ...] = ()
    skills: tuple[SkillSpec, ...] = ()
    knowledge: tuple[str, ...] = ()


@dataclass(frozen=True)
class EndpointSpec:
    """An agent that answers at an address: an OpenAI-compatible chat endpoint, or plain JSON (PL-21).

    `model` is what an OpenAI-compatible endpoint calls its model; empty where it needs none.
    """

    kind: ClassVar[str] = "endpoint"

    protocol: str = OPENAI
    url: str = ""
    model: str = ""
    secret: str = ""
    seconds: int = SECONDS
    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True)
class ExternalSpec:
    """An agent that is never called; which of its tools only read is declared all the same (DS-170)."""

    kind: ClassVar[str] = "external"

    tools: tuple[ToolSpec, ...] = ()


@dataclass(frozen=True)
class JudgeSpec:
    """An agent that grades answers: what it is told besides the fixed task, and its model (SC-D1); it has no tools.

    `temperature` begins at 0 (SC-97); a model that takes none is asked without (SC-98).
    """

    kind: ClassVar[str] = "judge"
    tools: ClassVar[tuple[ToolSpec, ...]] = ()

    instructions: str = ""
    model: str | None = None
    temperature: float = 0


Spec = ModelSpec | EndpointSpec | ExternalSpec | JudgeSpec
KINDS: Mapping[str, type[Spec]] = {kind.kind: kind for kind in (ModelSpec, EndpointSpec, ExternalSpec, JudgeSpec)}


def spec_of(kind: str, stored: Mapping[str, Any]) -> Spec:
    """The specification in a draft or a version as it was stored; what is missing takes its default."""
    given = dict(stored)
    if kind == JudgeSpec.kind:
        return JudgeSpec(**given)
    given["tools"] = tuple(ToolSpec(**tool) for tool in stored.get("tools", ()))
    if kind == ModelSpec.kind:
        given["skills"] = tuple(SkillSpec(**skill) for skill in stored.get("skills", ()))
        given["knowledge"] = tuple(stored.get("knowledge", ()))
    return KINDS[kind](**given)


def stored(spec: Spec) -> dict[str, Any]:
    """The specification as JSON, to be stored or given out; `spec_of` reads it back."""
    found = asdict(spec)
    if isinstance(spec, JudgeSpec):
        return found
    found["tools"] = [_tool(tool, spec) for tool in spec.tools]
    if isinstance(spec, ModelSpec):
        found["skills"] = [asdict(skill) if skill.name or skill.text else {"id": skill.id} for skill in spec.skills]
        found["knowledge"] = list(spec.knowledge)
    return found


def as_draft(spec: Spec) -> Spec:
    """What a version says, as a draft says it: skills by their ids alone."""
    if isinstance(spec, ModelSpec):
        return replace(spec, skills=tuple(SkillSpec(skill.id) for skill in spec.skills))
    return spec


def secrets_of(spec: Spec) -> dict[str, str]:
    """The names of secrets that the specification uses, by the path of the field that names each."""
    used = {"secret": spec.secret} if isinstance(spec, EndpointSpec) else {}
    used |= {f"tools.{place}.secret": tool.secret for place, tool in enumerate(spec.tools)}
    return {path: name for path, name in used.items() if name}


def _tool(tool: ToolSpec, spec: Spec) -> dict[str, Any]:
    names = TOOL_FIELDS if isinstance(spec, ModelSpec) else DECLARED_FIELDS
    return {name: getattr(tool, name) for name in names}


DECLARED_FIELDS = ("name", "description", "parameters", "read_only")
TOOL_FIELDS = (*DECLARED_FIELDS, "endpoint", "secret", "stub")
SPEC_FIELDS: Mapping[str, tuple[str, ...]] = {
    ModelSpec.kind: (
        "instructions", "model", "temperature", "max_steps", "seconds", "tools", "skills", "knowledge",
    ),
    EndpointSpec.kind: ("protocol", "url", "model", "secret", "seconds", "tools"),
    ExternalSpec.kind: ("tools",),
    JudgeSpec.kind: ("instructions", "model", "temperature"),
}  # fmt: skip
