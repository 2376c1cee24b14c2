"""Carrying out the tool calls of one step: several at once, guarded, or pretended where isolated (PL-22, EV-D12)."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import anyio
from django.conf import settings

from agents.logic.answerers import ModelAgent, Tool
from agents.logic.arguments import TooMuchWork, argument_faults, read_arguments, storable
from agents.logic.specs import SEARCH_KNOWLEDGE
from agents.loop.events import Outcome, ToolStep
from agents.loop.host import Host, tell_surely
from core.addresses import same_host
from core.http import Call, OutgoingError
from core.limits import LIMITS

# What the model reads is English, whatever language people use.
SIMULATED = "Simulated: the test environment stopped this call, nothing was changed. Go on as if it had worked."
NO_STEPS_LEFT = "This call was not executed: the agent had taken all its steps."
NOT_WHOLE = "This call was not executed: the step that asked for it was not whole."
TIME_IS_UP = "This call was not finished: the agent's time was up."
SAID_CHARACTERS = 2_000
SHORTEST_KEY = 6
QUERY = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "Words to look for."}},
    "required": ["query"],
    "additionalProperties": False,
}
SEARCH = Tool(SEARCH_KNOWLEDGE, "Looks for passages in the documents that this agent was given.", QUERY, read_only=True)


def tools_of(agent: ModelAgent) -> dict[str, Tool]:
    """The tools that the model is offered, by name."""
    return {tool.name: tool for tool in (*agent.tools, *((SEARCH,) if agent.knowledge else ()))}


def offered(tools: Mapping[str, Tool]) -> list[dict[str, Any]]:
    """The tools as the chat API is told them."""
    return [
        {
            "type": "function",
            "function": {
                "name": tool.name,
                "description": tool.description,
                "parameters": tool.parameters or {"type": "object", "properties": {}},
            },
        }
        for tool in tools.values()
    ]


@dataclass
class ToolCalls:
    """Carries out calls and tells the host each as soon as it is done; `open` are those under way."""

    tools: Mapping[str, Tool]
    host: Host
    isolated: bool
    open: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    async def run(self, calls: Sequence[Mapping[str, Any]]) -> dict[str, str]:
        """The result of each call, by its id. Calls are `{"id", "name", "arguments"}`."""
        results: dict[str, str] = {}
        places = anyio.Semaphore(LIMITS.tool_calls_at_once)

        async def run_one(call: Mapping[str, Any]) -> None:
            async with places:
                started = time.monotonic()
                result, outcome = await self._outcome(call)
                results[call["id"]] = shortened(result)
                await self._tell(call, results[call["id"]], outcome, time.monotonic() - started)

        self.open = {call["id"]: call for call in calls}
        try:
            async with anyio.create_task_group() as group:
                for call in calls:
                    group.start_soon(run_one, call)
        except ExceptionGroup as faults:
            raise faults.exceptions[0] from None  # the host's own, such as that the run is gone
        return results

    async def give_up(self, calls: Sequence[Mapping[str, Any]], why: str) -> None:
        """Tell that these calls were not carried out, or not to their end, so that each has a result."""
        for call in calls:
            await self._tell(call, why, Outcome.FAILED, None)

    async def give_up_open(self) -> None:
        """Tell of what was under way when the time was up."""
        await self.give_up(list(self.open.values()), TIME_IS_UP)

    async def _tell(self, call: Mapping[str, Any], result: str, outcome: Outcome, seconds: float | None) -> None:
        self.open.pop(call["id"], None)
        await tell_surely(self.host, ToolStep(call["id"], call["name"], call["arguments"], result, outcome, seconds))

    async def _outcome(self, call: Mapping[str, Any]) -> tuple[str, Outcome]:
        tool = self.tools.get(call["name"])
        if tool is None:
            return f"There is no tool “{call['name']}”.", Outcome.FAILED
        fault = _fault(tool, call["arguments"])
        if fault:
            return f"Not executed, the arguments are wrong: {fault}", Outcome.FAILED
        if self.isolated and not tool.read_only:
            return SIMULATED if tool.stub is None else tool.stub, Outcome.BLOCKED
        if tool is SEARCH:
            return storable(await self.host.search_knowledge(call["arguments"]["query"])), Outcome.OK
        return await called(tool, call["arguments"])


def _fault(tool: Tool, arguments: Any) -> str:
    """What is wrong with the arguments, in a line; empty where nothing is."""
    if not isinstance(arguments, dict):
        return read_arguments(arguments)[1]
    try:
        return "; ".join(argument_faults(tool.parameters, arguments))
    except TooMuchWork:
        return "the schema of the tool takes too long to check"


async def called(tool: Tool, arguments: Mapping[str, Any]) -> tuple[str, Outcome]:
    """What the tool's endpoint answers to a POST of the arguments as JSON (PL-22, PL-26)."""
    fault = _address_fault(tool.endpoint)
    if fault:
        return fault, Outcome.FAILED
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/*"}
    if tool.key:
        headers["Authorization"] = f"Bearer {tool.key}"
    body = json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    try:
        reply = await Call("POST", tool.endpoint, headers, body).send_async()
    except OutgoingError as error:
        return str(error), Outcome.FAILED
    # A tool that echoes its headers must not make the key a part of the conversation.
    text = _without_key(storable(reply.body.decode("utf-8", "replace")), tool.key)
    if 200 <= reply.status < 300:
        return text, Outcome.OK
    said = f": {text[:SAID_CHARACTERS]}" if text.strip() else "."
    redirect = " and redirects, which is not followed" if 300 <= reply.status < 400 else ""
    return f"The tool answers with status {reply.status}{redirect}{said}", Outcome.FAILED


def _without_key(text: str, key: str) -> str:
    """Very short ones are no secrets, and taking them out would spoil the text."""
    return text.replace(key, "[key]") if len(key) >= SHORTEST_KEY else text


def _address_fault(endpoint: str) -> str:
    """http is for the hosts that the operator allows by name; whether an address is private is judged at connect."""
    try:
        parts = urlsplit(endpoint)
        host = same_host(parts.hostname or "")
    except ValueError:
        return "The tool's address is none."
    if not host:
        return "The tool has no address."
    if parts.scheme == "https" or host in {same_host(allowed) for allowed in settings.OUTGOING_ALLOWED_HOSTS}:
        return ""
    return "The tool's address does not begin with https://."


def shortened(result: str) -> str:
    """A result as the model reads it: cut where it is too long, and said so."""
    most = LIMITS.tool_result_characters
    if len(result) <= most:
        return result
    note = f"\n[Cut here: the whole result has {len(result):,} characters.]"
    return result[: most - len(note)] + note
