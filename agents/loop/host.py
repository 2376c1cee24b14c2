"""Host: what the loop needs from whoever runs it: a place to tell what happens, the budgets, the knowledge."""

from typing import Protocol

import anyio

from agents.loop.events import Event


class Host(Protocol):
    """Told each event as soon as it happened; whoever implements it stores steps and counts what they cost."""

    async def tell(self, event: Event) -> None: ...

    async def why_over_budget(self) -> str:
        """Why nothing more may be spent, in a sentence; empty where more may be. Asked before each call (PL-25)."""

    async def search_knowledge(self, query: str) -> str:
        """Passages of the agent's knowledge bases that fit, as the model reads them (PL-24)."""


async def tell_surely(host: Host, event: Event) -> None:
    """Tell what happened even where the answer is being ended: what was paid or done is recorded."""
    with anyio.CancelScope(shield=True):
        await host.tell(event)
