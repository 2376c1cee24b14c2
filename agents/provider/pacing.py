"""Pace: how fast one provider key may be asked, in every process that shares the cache (EV-D22)."""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import anyio
from django.core.cache import cache
from django.utils.crypto import salted_hmac

from agents.logic.targets import Target
from agents.logic.waiting import LONGEST_WAIT, SPREAD, pause_seconds
from agents.provider.clock import Sleep, wait
from agents.provider.rates import Rates, correct, take

Do = Callable[[Callable[[], Any]], Awaitable[Any]]
# For so long a look at the shared cache counts, so that a pause of another process is known this soon.
LOOK_SECONDS = 0.5
KEPT_SECONDS = 120.0


@dataclass
class Pause:
    """Until when (in seconds of the clock) nothing is asked, after how many refusals one after the other."""

    until: float = 0.0
    strikes: int = 0

    def after_refusal(self, sent_at: float, now: float, told: float | None) -> "Pause":
        """A request that was sent before this pause began or ended belongs to the same refusal."""
        if sent_at < self.until:
            return Pause(max(self.until, now + (told or 0.0)), self.strikes)
        strikes = self.strikes + 1
        return Pause(now + (pause_seconds(strikes) if told is None else told), strikes)


@dataclass
class Pace:
    """Of one key. `do` does a piece of work in the thread that keeps the database; None where nothing is shared."""

    name: str = ""
    rates: Rates = field(default_factory=Rates)
    do: Do | None = None
    pause: Pause = field(default_factory=Pause)
    looked_at: float = float("-inf")
    _turn: anyio.Lock = field(default_factory=anyio.Lock)

    @property
    def left(self) -> float:
        """Seconds until something may be asked."""
        return max(self.pause.until - time.time(), 0.0)

    async def ready(self, sleep: Sleep, tokens: int, rested: float = 0.0) -> None:
        """Wait until a request of about so many tokens may go; a pause until `rested` was waited for already."""
        if self.do is not None and self.rates:
            async with self._turn:  # in the order they came
                while seconds := await self.do(partial(take, self.name, self.rates, tokens, time.time())):
                    await wait(sleep, spread(seconds))
        while True:
            await self._look()
            if not self.left or self.pause.until == rested:
                return
            rested = self.pause.until
            await wait(sleep, spread(self.left))

    async def refused(self, sent_at: float, told: float | None) -> None:
        """The provider asked for fewer requests: nobody asks for what it told, or for longer each time."""
        told = None if told is None else min(told, LONGEST_WAIT)
        self.pause = self.pause.after_refusal(sent_at, time.time(), told)
        if self.do is not None:
            self.pause = await self.do(partial(_shared_pause, self.name, sent_at, told, self.pause))

    async def answered(self, sent_at: float, reserved: int, used: int | None) -> None:
        """The provider answered: the refusals are over, and so many tokens went through."""
        if self.pause.strikes and sent_at >= self.pause.until:
            self.pause = Pause(self.pause.until, 0)
            if self.do is not None:
                await self.do(partial(_forget, self.name, self.pause.until))
        if self.do is not None and self.rates.tokens is not None and used is not None and used != reserved:
            await self.do(partial(correct, self.name, used - reserved, time.time()))

    async def _look(self) -> None:
        now = time.monotonic()
        if self.do is None or now - self.looked_at < LOOK_SECONDS:
            return
        self.looked_at = now  # before it is known, so that of many only one asks
        found = await self.do(partial(cache.get, self.name))
        if found and found[0] > self.pause.until:
            self.pause = Pause(*found)


def spread(seconds: float) -> float:
    """A little longer, each time another little."""
    return seconds * (1 + random.random() * SPREAD)  # noqa: S311 - spreads load only


def name_of(target: Target) -> str:
    """What the cache calls a key, from which nobody reads the key."""
    words = "\n".join((target.provider, target.base_url, target.key))
    return f"provider-key:{salted_hmac('agents.provider.pacing', words, algorithm='sha256').hexdigest()}"


def _shared_pause(name: str, sent_at: float, told: float | None, own: Pause) -> Pause:
    """The pause that every process knows from now on."""
    found = cache.get(name)
    shared = Pause(*found).after_refusal(sent_at, time.time(), told) if found else own
    pause = shared if shared.until >= own.until else own
    cache.set(name, (pause.until, pause.strikes), pause.until - time.time() + KEPT_SECONDS)
    return pause


def _forget(name: str, until: float) -> None:
    """The refusals are over, unless another process met one since."""
    found = cache.get(name)
    if found and found[0] <= until:
        cache.delete(name)
