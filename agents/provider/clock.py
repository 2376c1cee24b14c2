"""Waiting before further tries, which is neither latency nor counts against a time limit (EV-D23)."""

import math
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import anyio

Sleep = Callable[[float], Awaitable[None]]


@dataclass
class Waiting:
    """Seconds waited so far by one answer; its time limits, and those of who asked for it, stand still meanwhile."""

    seconds: float = 0.0
    limits: list[anyio.CancelScope] = field(default_factory=list)
    around: "Waiting | None" = None

    @property
    def all_limits(self) -> list[anyio.CancelScope]:
        return [*self.limits, *(self.around.all_limits if self.around else ())]

    @contextmanager
    def stands_still(self, limit: anyio.CancelScope) -> Iterator[None]:
        """Inside, what is waited moves the end of this limit."""
        self.limits.append(limit)
        try:
            yield
        finally:
            self.limits.remove(limit)

    async def wait(self, sleep: Sleep, seconds: float) -> None:
        limits = self.all_limits
        began, ends = time.monotonic(), [limit.deadline for limit in limits]
        for limit in limits:
            limit.deadline = math.inf
        try:
            await sleep(seconds)
        finally:
            taken = time.monotonic() - began
            self.seconds += taken
            for limit, end in zip(limits, ends, strict=True):
                limit.deadline = end + taken


_waiting: ContextVar[Waiting | None] = ContextVar("waiting", default=None)


@contextmanager
def counted_waiting() -> Iterator[Waiting]:
    """Inside, what tries wait for is counted, and time limits kept by `limit_of` leave it out.

    Inside of another, the limits that are kept there leave it out too.
    """
    around = _waiting.get()
    counted = Waiting(limits=around.limits if around else [])
    token = _waiting.set(counted)
    try:
        yield counted
    finally:
        _waiting.reset(token)


@contextmanager
def limit_of(seconds: float) -> Iterator[anyio.CancelScope]:
    """As `anyio.move_on_after`; where waiting is counted, it does not count against these seconds."""
    counted = _waiting.get()
    with anyio.move_on_after(seconds) as limit:
        if counted is None:
            yield limit
        else:
            with counted.stands_still(limit):
                yield limit


async def wait(sleep: Sleep, seconds: float) -> None:
    """Wait, and count it where somebody counts."""
    counted = _waiting.get()
    await (sleep(seconds) if counted is None else counted.wait(sleep, seconds))
