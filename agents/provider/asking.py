"""Asking a model: one question, one reply, with further tries where they help (PL-20, SC-D43, BC-41)."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
from openai import APIConnectionError, APIError, APIStatusError

from agents.logic.pieces import Assembly
from agents.logic.targets import Target
from agents.logic.usage import Usage
from agents.logic.waiting import TOO_MANY, Patience, worth_asking_again
from agents.provider.clients import Client
from agents.provider.clock import Sleep
from agents.provider.sharing import client_at, pace_of
from agents.provider.telling import NoReply, failure_of
from agents.provider.trying import Setback, Tries
from core.addresses import AddressRefused
from core.http import address_refused
from core.limits import LIMITS

PATH = "/chat/completions"
CHARACTERS_A_TOKEN = 4


@dataclass(frozen=True)
class Ask:
    """What is sent. `temperature` is None where none is; `settings` are further parameters of the chat API.

    `headers` go with it besides those of the provider.
    """

    model: str
    messages: Sequence[Mapping[str, Any]]
    temperature: float | None = None
    max_tokens: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """About how many it has, for the count of tokens a minute."""
        return sum(len(str(message.get("content") or "")) for message in self.messages) // CHARACTERS_A_TOKEN

    def parameters(self) -> dict[str, Any]:
        """The parameters of the chat completions API."""
        sent: dict[str, Any] = {"model": self.model, "messages": list(self.messages), **self.settings}
        if self.temperature is not None:
            sent["temperature"] = self.temperature
        if self.max_tokens is not None:
            sent["max_completion_tokens"] = self.max_tokens
        return sent


@dataclass(frozen=True)
class Reply:
    """What came back: text and calls, why it ended, what it used, how long the last try took, how many tries.

    `refusal` are the words with which a model refused, where it says them apart from its text.
    """

    text: str
    tool_calls: tuple[Mapping[str, Any], ...]
    finish_reason: str
    model: str
    usage: Usage | None
    seconds: float
    tries: int
    refusal: str = ""


async def ask(
    target: Target,
    question: Ask,
    *,
    seconds: float = LIMITS.model_seconds,
    tries: int | None = None,
    patience: Patience = Patience.CALL,
    sleep: Sleep = anyio.sleep,
) -> Reply:
    """Ask, and again where that may help, as often as `patience` says (at most `tries` times), `seconds` each.

    Inside of `shared_calls` it waits while the key is paused or used up for this minute. Raises `ProviderFailure`.
    """
    tokens = question.tokens if target.tokens_a_minute is not None else 0
    trying = Tries(pace_of(target), sleep, patience, tries, tokens)
    async with client_at(target) as client:
        try:
            reply = await trying.until_done(partial(_one_try, client, question, seconds, trying), setback_of)
        except (APIError, AddressRefused, TimeoutError, ValueError) as error:
            raise failure_of(error, target, tries=trying.count, model=question.model) from None
        await trying.answered(None if reply.usage is None else reply.usage.input + reply.usage.output)
        return reply


async def _one_try(client: Client, question: Ask, seconds: float, trying: Tries) -> Reply:
    """Asked for the reply as it came: the package's objects of a reply check no types and cost time."""
    started = time.monotonic()
    with anyio.fail_after(seconds):
        content = await client.posted(PATH, question.parameters(), question.headers, seconds)
    return _read(content, time.monotonic() - started, trying.count)


def setback_of(error: Exception) -> Setback | None:
    """What a failed try means for the next; None where another would not help."""
    if isinstance(error, APIStatusError):
        if not worth_asking_again(error.status_code):
            return None
        told = error.response.headers.get("retry-after", "")
        return Setback(told, is_rate=error.status_code == TOO_MANY)
    if isinstance(error, APIConnectionError | TimeoutError) and not address_refused(error):
        return Setback()
    return None


def _read(body: bytes, seconds: float, tries: int) -> Reply:
    """The reply; raises `NoReply` where a success holds none, as when a proxy answers with an error object."""
    try:
        sent = json.loads(body)
        choice = sent["choices"][0]
        taken = Assembly()
        taken.add(sent)
    except (ValueError, TypeError, KeyError, IndexError, RecursionError):
        raise NoReply(body.decode("utf-8", "replace")) from None
    if not choice.get("message"):
        raise NoReply(body.decode("utf-8", "replace"))
    return reply_of(taken, seconds, tries)


def reply_of(taken: Assembly, seconds: float, tries: int) -> Reply:
    """The reply that was put together."""
    return Reply(
        text=taken.text,
        tool_calls=taken.tool_calls(),
        finish_reason=taken.finish_reason,
        model=taken.model,
        usage=taken.usage,
        seconds=seconds,
        tries=tries,
        refusal=taken.refusal,
    )
