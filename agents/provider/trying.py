"""Trying again what another try may bring, at the pace of the key that is asked (EV-D22, EV-D23, SC-D43)."""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

from agents.logic.waiting import Patience, seconds_to_wait, told_wait
from agents.provider.clock import Sleep, wait
from agents.provider.pacing import Pace, spread

Done = TypeVar("Done")


@dataclass(frozen=True)
class Setback:
    """A try that failed in a way that may pass; `told` is what Retry-After said.

    `is_rate`: the provider asks for fewer requests, so that everybody who asks it with this key waits.
    """

    told: str = ""
    is_rate: bool = False


@dataclass
class Tries:
    """The tries of one question; `count` is the number of those that were made."""

    pace: Pace
    sleep: Sleep
    patience: Patience = Patience.CALL
    most: int | None = None
    tokens: int = 0
    count: int = 0
    sent_at: float = 0.0

    async def until_done(
        self, act: Callable[[], Awaitable[Done]], setback_of: Callable[[Exception], Setback | None]
    ) -> Done:
        """What the act gives in the end; raises what the last try raised. None of `setback_of` ends the trying."""
        rested = 0.0
        while True:
            await self.pace.ready(self.sleep, self.tokens, rested)
            self.count, self.sent_at = self.count + 1, time.time()
            try:
                return await act()
            except Exception as error:
                setback = setback_of(error)
                if setback is None:
                    raise
                seconds = await self._seconds(setback)
                if seconds is None:
                    raise
            rested = self.pace.pause.until
            await wait(self.sleep, max(seconds, spread(self.pace.left)))

    async def answered(self, used: int | None) -> None:
        """The try brought an answer, which took so many tokens."""
        await self.pace.answered(self.sent_at, self.tokens, used)

    async def _seconds(self, setback: Setback) -> float | None:
        now = datetime.now(UTC)
        if setback.is_rate:
            await self.pace.refused(self.sent_at, told_wait(setback.told, now))
        jitter = random.random()  # noqa: S311 - spreads load only
        return seconds_to_wait(self.count, setback.told, now, jitter, self.most, self.patience)
