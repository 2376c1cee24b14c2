"""Asking again where the network or the server fails for a while (EV-D64)."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from evals.command.failures import TimeOver, Unreachable

TOLERATED_SECONDS = 120.0
POLL_SECONDS = 5.0
Found = TypeVar("Found")


@dataclass
class Clock:
    """Time as the command knows it, so that tests need not wait."""

    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep


@dataclass
class Patience:
    """`ends_at` is when waiting is over, on the clock; None without such an end. `note` gets a line at a failure."""

    clock: Clock
    note: Callable[[str], None]
    ends_at: float | None = None
    was_told: bool = field(default=False, init=False)

    def ask(self, act: Callable[[], Found], *, at_once: bool = False) -> Found:
        """What `act` gives. It is tried again for two minutes from its first failure, then `Unreachable` is raised.

        `at_once` is for what nothing depends on yet: where nothing was sent, no second try follows.
        """
        began: float | None = None
        while True:
            try:
                found = act()
            except Unreachable as failure:
                began = self.clock.now() if began is None else began
                self._bear(failure, self.clock.now() - began, at_once=at_once)
            else:
                self.was_told = False
                return found

    def pause(self, seconds: float = POLL_SECONDS) -> None:
        """Wait; raises `TimeOver` once the end has come."""
        if self.ends_at is None:
            self.clock.sleep(seconds)
            return
        left = self.ends_at - self.clock.now()
        if left <= 0:
            raise TimeOver
        self.clock.sleep(min(seconds, left))

    def _bear(self, failure: Unreachable, passed: float, *, at_once: bool) -> None:
        if passed >= TOLERATED_SECONDS or (at_once and not failure.was_sent):
            raise failure
        if not self.was_told:
            self.note(f"{failure} Trying again for up to 2 minutes.")
        self.was_told = True
        self.pause(max(POLL_SECONDS, failure.wait))
