"""Agents of kind endpoint: a service answers, by the chat completions API or by plain JSON (PL-21, PL-26)."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import anyio
from django.utils.translation import gettext as _

from agents.logic.answerers import EndpointAgent
from agents.logic.arguments import storable
from agents.logic.endpoint_reply import EndpointReply, WrongReply, read_reply
from agents.logic.history import sendable
from agents.logic.specs import OPENAI
from agents.logic.targets import Provider, Target
from agents.logic.waiting import TOO_MANY, Patience, worth_asking_again
from agents.loop.events import NO_ANSWER, WRONG_REPLY, Ended, Ending, ModelStep, Outcome, TextPiece, ToolStep
from agents.loop.host import Host, tell_surely
from agents.loop.model_steps import end_after, failed, named, step_of
from agents.loop.tool_calls import shortened
from agents.provider import Ask, ProviderFailure, Reply, Setback, Tries, ask, ask_streaming, pace_of, without_key
from core.http import Call, OutgoingError
from core.limits import LIMITS

# What an endpoint is told in an isolated run; it alone can keep its tools from changing anything.
ISOLATED_HEADERS = {"Casebook-Run": "isolated"}
CHAT_PATH = "/chat/completions"
NO_MODEL = "default"


@dataclass
class EndpointCallout:
    """One answer of an endpoint under way."""

    agent: EndpointAgent
    messages: Sequence[Mapping[str, Any]]
    host: Host
    conversation_id: str = ""
    isolated: bool = False

    async def run(self) -> Ended:
        """Answer; the end but for the time limit, which whoever calls this keeps."""
        reason = await self.host.why_over_budget()
        if reason:
            return Ended(Ending.OVER_BUDGET, reason)
        return await (self._by_chat_api() if self.agent.protocol == OPENAI else self._by_json())

    async def stop(self) -> None:
        """Nothing is under way here but the call itself."""

    async def _by_chat_api(self) -> Ended:
        base = self.agent.url.rstrip("/").removesuffix(CHAT_PATH)
        target = Target(Provider.COMPATIBLE, base, key=self.agent.key)
        question = Ask(self.agent.model or NO_MODEL, sendable(self.messages), headers=self._headers)
        try:
            reply = await self._reply(target, question)
        except ProviderFailure as failure:
            return failed(failure)
        step = named(step_of(reply, None), self.agent.model)
        await tell_surely(self.host, step)
        end = end_after(step)
        if end is None and not step.text.strip():
            words = _("The endpoint asks for tools to be called. An endpoint calls its tools itself.")
            return Ended(Ending.FAILED, words, cause=NO_ANSWER)
        return end or Ended(Ending.COMPLETED)

    async def _reply(self, target: Target, question: Ask) -> Reply:
        """Once: a service that acts in the world may have acted before it failed; unless it was told not to act."""
        seconds = self.agent.seconds
        if self.isolated:
            return await ask(target, question, seconds=seconds, patience=Patience.ATTEMPT)
        return await ask_streaming(target, question, on_text=self._show, seconds=seconds, tries=1)

    async def _show(self, text: str) -> None:
        await self.host.tell(TextPiece(storable(text)))

    async def _by_json(self) -> Ended:
        target = Target(Provider.COMPATIBLE, self.agent.url, key=self.agent.key)
        trying = Tries(pace_of(target), anyio.sleep, Patience.ATTEMPT, most=None if self.isolated else 1)
        try:
            reply, seconds = await trying.until_done(self._posted, _setback_of)
        except OutgoingError as error:
            return Ended(Ending.FAILED, str(error), may_pass=error.worth_retrying, cause=error.reason.value)
        except WrongReply as wrong:
            return Ended(Ending.FAILED, self._words(wrong), cause=WRONG_REPLY)
        except _Status as answered:
            may_pass = worth_asking_again(answered.status)
            return Ended(Ending.FAILED, str(answered), may_pass=may_pass, cause=f"status {answered.status}")
        await trying.answered(None)
        await self._tell(reply, seconds)
        if not reply.output.strip():
            return Ended(Ending.FAILED, _("The endpoint ended without an answer."), cause=NO_ANSWER)
        return Ended(Ending.COMPLETED)

    async def _posted(self) -> tuple[EndpointReply, float]:
        """What the endpoint replied, and how long that took."""
        started = time.monotonic()
        messages = sendable(self.messages)
        body = {"conversation_id": self.conversation_id, "messages": messages, "input": _input(messages)}
        headers = {"Content-Type": "application/json", "Accept": "application/json", **self._headers}
        if self.agent.key:
            headers["Authorization"] = f"Bearer {self.agent.key}"
        sent = json.dumps(body, ensure_ascii=False).encode()
        reply = await Call("POST", self.agent.url, headers, sent, seconds=self.agent.seconds).send_async()
        if not 200 <= reply.status < 300:
            told = reply.headers.get("retry-after", "")
            raise _Status(reply.status, self._status_words(reply.status, reply.body), told)
        return read_reply(reply.body), time.monotonic() - started

    async def _tell(self, reply: EndpointReply, seconds: float) -> None:
        """Calls first, as they were made before the text; tokens, cost and time stand on the step of the text."""
        calls = [
            {"id": f"call_{number}", "name": call.name, "arguments": call.arguments}
            for number, call in enumerate(reply.calls, start=1)
        ]
        if calls:
            await tell_surely(self.host, ModelStep("", calls, finish_reason="tool_calls"))
        for sent, call in zip(calls, reply.calls, strict=True):
            result = shortened(call.result or "")
            await tell_surely(self.host, ToolStep(sent["id"], call.name, call.arguments, result, Outcome(call.outcome)))
        text = reply.output[: LIMITS.message_characters]
        step = ModelStep(text, usage=reply.usage, cost=reply.cost, seconds=seconds, finish_reason="stop")
        await tell_surely(self.host, step)

    def _words(self, wrong: WrongReply) -> str:
        problem = wrong.problem
        why = _(problem.text) % {name: str(value) for name, value in problem.values.items()}
        values = {"host": self._host, "field": problem.field, "why": without_key(why, self.agent.key)}
        if problem.field:
            return _("%(host)s answered, but “%(field)s” is not as documented: %(why)s.") % values
        return _("%(host)s answered, but the reply is not as documented: %(why)s.") % values

    def _status_words(self, status: int, body: bytes) -> str:
        said = without_key(body.decode("utf-8", "replace").replace("\x00", ""), self.agent.key).strip()
        words = _("%(host)s answered with status %(status)d.") % {"host": self._host, "status": status}
        return f"{words} {said}".strip()

    @property
    def _headers(self) -> Mapping[str, str]:
        return ISOLATED_HEADERS if self.isolated else {}

    @property
    def _host(self) -> str:
        return urlsplit(self.agent.url).netloc


class _Status(Exception):
    """The endpoint refused or failed; `str()` is the sentence."""

    def __init__(self, status: int, words: str, told: str) -> None:
        self.status, self.told = status, told
        super().__init__(words)


def _setback_of(error: Exception) -> Setback | None:
    """What a failed try means for the next; None where another would not help."""
    if isinstance(error, _Status) and worth_asking_again(error.status):
        return Setback(error.told, is_rate=error.status == TOO_MANY)
    return Setback() if isinstance(error, OutgoingError) and error.worth_retrying else None


def _input(messages: Sequence[Mapping[str, Any]]) -> str:
    """What is asked: the last message of a person."""
    return next((str(message["content"]) for message in reversed(messages) if message["role"] == "user"), "")
