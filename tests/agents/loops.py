"""Letting an agent answer in tests: a host that notes what it is told, and agents that ask the fake provider."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from agents.logic.answerers import Answerer, AskedModel, ModelAgent, Tool
from agents.logic.targets import Provider, Target
from agents.logic.usage import Prices
from agents.loop.answering import answer
from agents.loop.events import Ended, ModelStep, TextPiece, ToolStep
from core.loops import run_coroutine
from tests.agents.provider_server import FakeProvider

KEY = "model-key-8374598237"
SECRET = "tool-secret-82734"
ASKED = [{"role": "user", "content": "Where is order 12?"}]
ORDER = {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]}


@dataclass
class NotingHost:
    """Notes each event; `reasons` are what the budgets say, one a call, then nothing."""

    reasons: list[str] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    asked: int = 0
    passages: str = "[1] Manual\nOnly the lid."
    searched: list[str] = field(default_factory=list)

    async def tell(self, event: Any) -> None:
        self.events.append(event)

    async def why_over_budget(self) -> str:
        self.asked += 1
        return self.reasons.pop(0) if self.reasons else ""

    async def search_knowledge(self, query: str) -> str:
        self.searched.append(query)
        return self.passages

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextPiece))

    @property
    def steps(self) -> list[Any]:
        return [event for event in self.events if isinstance(event, ModelStep | ToolStep)]

    @property
    def tool_steps(self) -> list[ToolStep]:
        return [event for event in self.events if isinstance(event, ToolStep)]


def model_agent(provider: FakeProvider, *tools: Tool, **more: Any) -> ModelAgent:
    model = AskedModel(
        Target(Provider.COMPATIBLE, provider.address, key=KEY), "small-1", prices=Prices(Decimal(2), Decimal(8))
    )
    return ModelAgent(model, **{"instructions": "Be brief.", "tools": tools, **more})


def tool(server: FakeProvider | None = None, name: str = "find_order", **more: Any) -> Tool:
    """A tool at a server, or one that is never reached."""
    endpoint = server.address if server else "https://tool.invalid/"
    return Tool(name, **{"parameters": ORDER, "read_only": True, "endpoint": endpoint, "key": SECRET, **more})


def answered(
    answerer: Answerer, host: NotingHost | None = None, messages: Sequence[Any] = ASKED, **more: Any
) -> tuple[Ended, NotingHost]:
    """How the answer ended, and the host that was told."""
    noting = host or NotingHost()
    return run_coroutine(answer(answerer, messages, noting, **more)), noting
