"""Asking a model: one question, one reply, with further tries where they help (PL-20, SC-D43, BC-41)."""

import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import anyio
from openai import APIConnectionError, APIError, APIStatusError

from agents.logic.targets import Target
from agents.logic.usage import Usage, read_usage
from agents.logic.waiting import TRIES, seconds_to_wait, worth_asking_again
from agents.provider.clients import open_client
from agents.provider.telling import NoReply, failure_of
from core.addresses import AddressRefused
from core.http import address_refused
from core.limits import LIMITS

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class Ask:
    """What is sent. `temperature` is None where none is; `settings` are further parameters of the chat API."""

    model: str
    messages: Sequence[Mapping[str, Any]]
    temperature: float | None = None
    max_tokens: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

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
    tries: int = TRIES,
    sleep: Sleep = anyio.sleep,
) -> Reply:
    """Ask, and again where that may help, at most `tries` times of `seconds` each. Raises `ProviderFailure`."""
    client = open_client(target, seconds=seconds)
    try:
        count = 0
        while True:
            count += 1
            started = time.monotonic()
            try:
                with anyio.fail_after(seconds):
                    answered = await client.chat.completions.create(**question.parameters())
                return _read(answered, time.monotonic() - started, count)
            except (APIError, AddressRefused, TimeoutError, ValueError) as error:
                wait = wait_after(error, count, tries)
                if wait is None:
                    raise failure_of(error, target, tries=count, model=question.model) from None
            await sleep(wait)
    finally:
        await client.close()


def wait_after(error: Exception, count: int, most: int) -> float | None:
    """Seconds until the next try, or None where another would not help."""
    told = ""
    if isinstance(error, APIStatusError):
        if not worth_asking_again(error.status_code):
            return None
        told = error.response.headers.get("retry-after", "")
    elif not isinstance(error, APIConnectionError | TimeoutError) or address_refused(error):
        return None
    return seconds_to_wait(count, told, datetime.now(UTC), random.random(), most)  # noqa: S311 - spreads load only


def _read(answered: Any, seconds: float, tries: int) -> Reply:
    """The reply; raises `NoReply` where a success holds none, as when a proxy answers with an error object.

    The package checks no types, so any part may be missing or of another kind.
    """
    try:
        choice = answered.choices[0]
        calls = tuple(call.model_dump() for call in choice.message.tool_calls or ())
        usage = read_usage(answered.usage.model_dump() if answered.usage else None)
        refusal = getattr(choice.message, "refusal", None)
        text, ended, model = choice.message.content or "", choice.finish_reason or "", answered.model or ""
    except (AttributeError, TypeError, IndexError, KeyError):
        raise NoReply(answered) from None
    if not isinstance(text, str):
        raise NoReply(answered)
    refused = refusal if isinstance(refusal, str) else ""
    return Reply(text, calls, str(ended), str(model), usage, seconds, tries, refused)
