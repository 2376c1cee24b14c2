"""An agent of kind model: Casebook asks its model and calls its tools until there is a final text (PL-21 to PL-24)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from agents.logic.answerers import ModelAgent
from agents.logic.arguments import storable
from agents.logic.history import sendable
from agents.logic.waiting import Patience
from agents.loop.events import Ended, Ending, ModelStep, TextPiece
from agents.loop.host import Host, tell_surely
from agents.loop.model_steps import end_after, failed, named, step_of
from agents.loop.tool_calls import NO_STEPS_LEFT, NOT_WHOLE, ToolCalls, offered, tools_of
from agents.provider import Ask, ProviderFailure, ask, ask_streaming
from core.limits import LIMITS

TOO_MANY_CALLS = "Not executed: these are more calls than one step may make."


@dataclass
class ModelLoop:
    """One answer under way; `said` are the messages that the model is sent."""

    agent: ModelAgent
    messages: Sequence[Mapping[str, Any]]
    host: Host
    isolated: bool = False
    said: list[dict[str, Any]] = field(default_factory=list)

    @cached_property
    def calls(self) -> ToolCalls:
        return ToolCalls(tools_of(self.agent), self.host, self.isolated)

    async def run(self) -> Ended:
        """Answer; the end but for the time limit, which whoever calls this keeps."""
        self.said = [*system_message(self.agent), *sendable(self.messages)]
        for number in range(1, self.agent.max_steps + 1):
            reason = await self.host.why_over_budget()
            if reason:
                return Ended(Ending.OVER_BUDGET, reason)
            try:
                step = await self._ask()
            except ProviderFailure as failure:
                return failed(failure)
            await tell_surely(self.host, step)
            end = end_after(step)
            if end is not None:
                await self.calls.give_up(step.tool_calls, NOT_WHOLE)
                return end
            if number == self.agent.max_steps:
                await self.calls.give_up(step.tool_calls, NO_STEPS_LEFT)
            else:
                await self._call_tools(step)
        words = _("The agent reached its limit of steps (%(steps)d) without a final answer.")
        return Ended(Ending.MAX_STEPS, words % {"steps": self.agent.max_steps})

    async def stop(self) -> None:
        """The time is up: tell of the calls under way."""
        await self.calls.give_up_open()

    async def _ask(self) -> ModelStep:
        model = self.agent.model
        tools = offered(self.calls.tools)
        settings = {"tools": tools} if tools else {}
        question = Ask(model.name, self.said, temperature=model.temperature, settings=settings)
        if self.isolated:  # nobody reads along, so no stream is asked for
            reply = await ask(model.target, question, patience=Patience.ATTEMPT)
        else:
            reply = await ask_streaming(model.target, question, on_text=self._show)
        return named(step_of(reply, model.prices), model.name)

    async def _show(self, text: str) -> None:
        await self.host.tell(TextPiece(storable(text)))

    async def _call_tools(self, step: ModelStep) -> None:
        most = LIMITS.tool_calls_a_step
        results = await self.calls.run(step.tool_calls[:most])
        await self.calls.give_up(step.tool_calls[most:], TOO_MANY_CALLS)
        sent = [_sent(call) for call in step.tool_calls]
        self.said.append({"role": "assistant", "content": step.text or None, "tool_calls": sent})
        for call in step.tool_calls:
            text = results.get(call["id"], TOO_MANY_CALLS)
            self.said.append({"role": "tool", "tool_call_id": call["id"], "content": text})


def system_message(agent: ModelAgent) -> list[dict[str, Any]]:
    """The instructions and behind them the skills, each under its name; none where there is nothing to say."""
    parts = [agent.instructions.strip(), *(f"# {name}\n\n{text.strip()}" for name, text in agent.skills)]
    content = "\n\n".join(part for part in parts if part)
    return [{"role": "system", "content": content}] if content else []


def _sent(call: Mapping[str, Any]) -> dict[str, Any]:
    """A call as the chat API takes it back: arguments as a text that is JSON, whatever the model had sent."""
    arguments = call["arguments"] if isinstance(call["arguments"], dict) else {}
    function = {"name": call["name"], "arguments": json.dumps(arguments, ensure_ascii=False)}
    return {"id": call["id"], "type": "function", "function": function}
