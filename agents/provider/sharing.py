"""What the calls of one event loop share: open connections to each place, and the pace of each key (EV-D22)."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

import anyio

from agents.logic.targets import Target
from agents.provider.clients import Client, open_client
from agents.provider.pacing import Do, Pace, name_of
from agents.provider.rates import Rates
from core.limits import LIMITS


@dataclass
class Shared:
    """The clients by their target, the paces by the name of their key."""

    do: Do | None
    clients: dict[Target, Client] = field(default_factory=dict)
    paces: dict[Target, Pace] = field(default_factory=dict)

    def client(self, target: Target) -> Client:
        found = self.clients.get(target)
        if found is None:
            found = self.clients[target] = open_client(target, seconds=LIMITS.model_seconds)
        return found

    def pace(self, target: Target) -> Pace:
        found = self.paces.get(target)
        if found is None:
            name = name_of(target)
            rates = Rates(target.requests_a_minute, target.tokens_a_minute)
            same = next((pace for pace in self.paces.values() if pace.name == name and pace.rates == rates), None)
            found = self.paces[target] = same or Pace(name, rates, self.do)
        return found

    async def close(self) -> None:
        for client in self.clients.values():
            await client.close()


_shared: ContextVar[Shared | None] = ContextVar("shared_calls", default=None)


@asynccontextmanager
async def shared_calls(do: Do | None = None) -> AsyncIterator[None]:
    """Inside, calls to the same place share connections, and calls with the same key their pace.

    `do` does a piece of work in the thread that keeps the database: the pace is shared with other processes by it.
    Inside of another, that one's are used.
    """
    if _shared.get() is not None:
        yield
        return
    shared = Shared(do)
    token = _shared.set(shared)
    try:
        yield
    finally:
        _shared.reset(token)
        with anyio.CancelScope(shield=True):
            await shared.close()


@asynccontextmanager
async def client_at(target: Target) -> AsyncIterator[Client]:
    """A client there: the shared one, else one of its own."""
    shared = _shared.get()
    if shared is not None:
        yield shared.client(target)
        return
    client = open_client(target, seconds=LIMITS.model_seconds)
    try:
        yield client
    finally:
        with anyio.CancelScope(shield=True):
            await client.close()


def pace_of(target: Target) -> Pace:
    """The pace of its key: the shared one, else one that nobody else knows."""
    shared = _shared.get()
    return Pace() if shared is None else shared.pace(target)
