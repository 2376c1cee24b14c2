"""What the loop needs to know to let an agent answer, with its secrets, which no text of these objects shows."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from agents.logic.targets import Target
from agents.logic.usage import Prices


@dataclass(frozen=True)
class AskedModel:
    """The model that is asked. `temperature` None is the model's own; `prices` None where they are not known."""

    target: Target
    name: str
    temperature: float | None = None
    prices: Prices | None = None


@dataclass(frozen=True)
class Tool:
    """A tool that Casebook calls; `stub` is what an isolated run gives back instead, None for the fixed words."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    read_only: bool = False
    endpoint: str = ""
    key: str = field(default="", repr=False)
    stub: str | None = None


@dataclass(frozen=True)
class ModelAgent:
    """An agent that Casebook runs; `skills` are pairs of name and text, `knowledge` ids of bases (PL-24)."""

    model: AskedModel
    instructions: str = ""
    skills: tuple[tuple[str, str], ...] = ()
    tools: tuple[Tool, ...] = ()
    knowledge: tuple[UUID, ...] = ()
    max_steps: int = 10
    seconds: float = 120


@dataclass(frozen=True)
class EndpointAgent:
    """An agent that answers at an address, by the chat completions API or by plain JSON."""

    protocol: str
    url: str
    model: str = ""
    key: str = field(default="", repr=False)
    seconds: float = 120


Answerer = ModelAgent | EndpointAgent
