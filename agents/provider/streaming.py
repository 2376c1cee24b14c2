"""Asking a model for a streamed reply: pieces of text as they come, the whole reply at the end (PL-20, PL-30)."""

import json
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import anyio
from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, AsyncOpenAI

from agents.logic.pieces import Assembly, NotAChunk
from agents.logic.targets import Target
from agents.logic.waiting import TRIES, seconds_to_wait
from agents.provider.asking import Ask, Reply, reply_of, setback_of
from agents.provider.clock import Sleep
from agents.provider.sharing import client_at
from agents.provider.telling import BrokenOff, NoReply, failure_of
from core.addresses import AddressRefused
from core.limits import LIMITS

OnText = Callable[[str], Awaitable[None]]
WITH_USAGE = {"stream_options": {"include_usage": True}}
REFUSALS_OF_A_PARAMETER = frozenset({400, 422})
# Seconds that what follows the end of the text may take: usage, and the end of the stream.
AFTER_THE_END = 10.0


async def ask_streaming(
    target: Target,
    question: Ask,
    *,
    on_text: OnText,
    seconds: float = LIMITS.model_seconds,
    tries: int = TRIES,
    sleep: Sleep = anyio.sleep,
) -> Reply:
    """Ask, hand each piece of text to `on_text`, and give the whole reply. Raises `ProviderFailure`.

    `seconds` bounds the wait for each next piece, so that a long answer that keeps coming is not cut; whoever asks
    bounds the whole. It is asked again as by `ask`, but only until the first piece came: text that was shown is not
    taken back. Cancelling ends the request. A provider that does not know `stream_options` is asked without, at once.
    A reply that came whole although a stream was asked for is taken too.
    """
    options: dict[str, Any] = WITH_USAGE
    count = 0
    async with client_at(target) as client:
        while True:
            attempt = _Attempt(client, question, on_text, seconds)
            count += 1
            try:
                return await attempt.reply(options, tries=count)
            except (APIError, AddressRefused, TimeoutError, ValueError) as error:
                if options and _refuses_options(error):
                    options, count = {}, count - 1
                    continue
                wait = None if attempt.has_begun else _wait_after(error, count, tries)
                if wait is None:
                    told = BrokenOff() if attempt.has_begun and _is_lost(error) else error
                    raise failure_of(told, target, tries=count, model=question.model) from None
            await sleep(wait)


def _wait_after(error: Exception, count: int, most: int) -> float | None:
    """Seconds until the next try, or None where another would not help. Somebody is waiting: no pause is kept here."""
    setback = setback_of(error)
    if setback is None:
        return None
    jitter = random.random()  # noqa: S311 - spreads load only
    return seconds_to_wait(count, setback.told, datetime.now(UTC), jitter, most)


@dataclass
class _Attempt:
    """One try; `has_begun` once a chunk came."""

    client: AsyncOpenAI
    question: Ask
    on_text: OnText
    seconds: float
    has_begun: bool = False

    async def reply(self, options: dict[str, Any], *, tries: int) -> Reply:
        started = time.monotonic()
        with anyio.fail_after(self.seconds):
            stream: Any = await self.client.chat.completions.create(
                **self.question.parameters(),
                stream=True,
                extra_headers=dict(self.question.headers),
                timeout=self.seconds,
                **options,
            )
        try:
            taken = await (self._whole(stream) if _is_json(stream) else self._pieces(stream))
        finally:
            with anyio.CancelScope(shield=True):
                await stream.close()
        return reply_of(taken, time.monotonic() - started, tries)

    async def _pieces(self, stream: Any) -> Assembly:
        taken = Assembly()
        chunks = aiter(stream)
        while True:
            try:
                with anyio.fail_after(AFTER_THE_END if taken.finish_reason else self.seconds):
                    chunk = await anext(chunks, None)
            except (TimeoutError, APIError):
                if taken.finish_reason:  # complete: only its usage, or the end of the stream, did not come
                    return taken
                raise
            if chunk is None:
                break
            self.has_begun = True
            added = _added(taken, chunk)
            if added:
                await self.on_text(added)
        if not self.has_begun:
            raise NoReply("no chunk")
        if not taken.finish_reason:
            raise BrokenOff
        return taken

    async def _whole(self, stream: Any) -> Assembly:
        """The reply of a provider that does not stream."""
        with anyio.fail_after(self.seconds):
            body = await stream.response.aread()
        self.has_begun = True
        taken = Assembly()
        sent = json.loads(body)
        added = _added(taken, sent)
        if not sent.get("choices"):
            raise NoReply(body.decode("utf-8", "replace"))
        if added:
            await self.on_text(added)
        return taken


def _added(taken: Assembly, chunk: Any) -> str:
    """The text that a chunk adds; raises `NoReply` where it is no chunk: the package checks no types."""
    sent = chunk.to_dict(warnings=False) if hasattr(chunk, "to_dict") else chunk
    try:
        return taken.add(sent)
    except NotAChunk:
        raise NoReply(chunk) from None


def _is_lost(error: Exception) -> bool:
    """Whether the connection ended; once it had begun, nobody would look for the host's address."""
    return isinstance(error, APIConnectionError) and not isinstance(error, APITimeoutError)


def _is_json(stream: Any) -> bool:
    return "application/json" in stream.response.headers.get("content-type", "")


def _refuses_options(error: Exception) -> bool:
    if not isinstance(error, APIStatusError) or error.status_code not in REFUSALS_OF_A_PARAMETER:
        return False
    return any(name in error.response.text for name in ("stream_options", "include_usage"))
