"""BudgetWatch: whether the budgets allow a further call, asked at each call without a query for each (PL-25, EV-19)."""

import time
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from threading import Lock
from typing import Any
from uuid import UUID

from agents.loop.desk import Desk
from agents.queries.spending import NOTHING, Budgets, budgets_of

# For so long what was read counts, with what is spent and under way here since.
FRESH_SECONDS = 1.0


@dataclass
class BudgetWatch:
    """Of one agent and its organisation, for many answers at once.

    What is spent is what was read last, what was stored since, what is still to be stored, and for each call under way
    what calls cost on average: so that twenty calls at once do not all begin on the last cent.
    """

    agent_id: UUID
    budgets: Budgets
    read_at: float = field(default_factory=time.monotonic)
    _lock: Lock = field(default_factory=Lock)
    _is_reading: bool = False
    _under_way: int = 0
    _unstored: Decimal = NOTHING
    _stored: Decimal = NOTHING
    _known: int = 0
    _sum: Decimal = NOTHING

    async def begin(self, desk: Desk[Any]) -> str:
        """Why no call may begin, in a sentence; empty where one may, and then it counts until `end`."""
        if time.monotonic() - self.read_at > FRESH_SECONDS and not self._is_reading:
            self._is_reading = True
            try:
                await desk.do(partial(self._read))
            finally:
                self._is_reading = False
        with self._lock:
            mean = self._sum / self._known if self._known else NOTHING
            why = self.budgets.why_used_up(self._stored + self._unstored + self._under_way * mean)
            self._under_way += not why
        return why

    def end(self, cost: Decimal | None) -> None:
        """A call is over, and cost this (USD); None where that is not known, or where it failed."""
        with self._lock:
            self._under_way -= 1
            if cost is not None:
                self._known += 1
                self._sum += cost
                self._unstored += cost

    def stored(self, cost: Decimal) -> None:
        """So much is in the database from now on; told by the thread that reads it."""
        with self._lock:
            self._unstored -= cost
            self._stored += cost

    def _read(self) -> None:
        budgets = budgets_of(self.agent_id)
        with self._lock:
            self.budgets, self.read_at, self._stored = budgets, time.monotonic(), NOTHING
