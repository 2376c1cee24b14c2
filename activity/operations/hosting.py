"""DeskHost: what the loop asks of us, done in the thread that keeps the database (PL-23, PL-24, PL-25)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from activity.models import Message
from activity.operations.recording import Recorder
from agents.logic.answerers import Answerer, ModelAgent
from agents.logic.history import Sent
from agents.loop.answering import answer
from agents.loop.desk import Desk
from agents.loop.events import Ended, Event, ModelStep, TextPiece, ToolStep
from agents.loop.knowledge import passages_for
from agents.queries.spending import why_over_budget


@dataclass(frozen=True)
class Stored:
    """A step was stored: an assistant's or a tool's message, as it stands in the conversation from now on.

    The pieces of text shown since the last `Stored` are the beginning of an assistant's text and are replaced by it.
    Where none follows before the end, they were never finished and are not kept.
    """

    message: Message


@dataclass(frozen=True)
class DeskHost:
    """Of one answer: stores its steps, shows pieces and steps over the desk."""

    desk: Desk[TextPiece | Stored]
    recorder: Recorder
    answerer: Answerer

    async def tell(self, event: Event) -> None:
        if isinstance(event, TextPiece):
            self.desk.show(event)
        elif isinstance(event, ModelStep | ToolStep):
            self.desk.show(Stored(await self.desk.do(partial(self.recorder.store, event))))

    async def why_over_budget(self) -> str:
        return await self.desk.do(partial(why_over_budget, self.recorder.agent_id))

    async def search_knowledge(self, query: str) -> str:
        bases = self.answerer.knowledge if isinstance(self.answerer, ModelAgent) else ()
        return await self.desk.do(partial(passages_for, bases, query))


async def answer_over_desk(
    desk: Desk[Any], recorder: Recorder, answerer: Answerer, messages: Sequence[Sent], *, isolated: bool
) -> Ended:
    """Let the agent answer, its steps recorded; how it ended, which whoever calls this records."""
    host = DeskHost(desk, recorder, answerer)
    conversation_id = str(recorder.conversation_id)
    return await answer(answerer, messages, host, conversation_id=conversation_id, isolated=isolated)
