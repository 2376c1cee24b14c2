"""Recording a run while an agent answers in a conversation (PL-23, PL-30, PL-31)."""

from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeAlias
from uuid import UUID

from accounts.actor import Actor
from activity.models import Message, Run
from agents.loop.events import TextPiece


@dataclass(frozen=True)
class Stored:
    """A step was stored: an assistant's or a tool's message, as it stands in the conversation from now on.

    The pieces of text shown since the last `Stored` are the beginning of an assistant's text and are replaced by it.
    """

    message: Message


@dataclass(frozen=True)
class Waiting:
    """Nothing new for a few seconds: send something that shows nothing, so that a reader who went is noticed."""


@dataclass(frozen=True)
class Finished:
    """The run ended and is stored: `run.status`, and in `run.error` why it did not complete."""

    run: Run


Progress: TypeAlias = TextPiece | Stored | Waiting | Finished


class Answering(Iterator[Progress]):
    """An answer under way: iterate it for what happens; the last item is `Finished`.

    `question` and `run` are stored before the first item. Closing it early (`close()`, or leaving its `with` block)
    stops the agent and marks the run as cancelled; what is stored are whole steps only. So a streaming view does

        def stream():
            with answering:
                for progress in answering: yield ...

    and a reader who goes away ends the run with the next thing sent.
    """

    run: Run
    question: Message

    def __next__(self) -> Progress:
        raise NotImplementedError

    def close(self) -> None:
        """Stop; the run ends as cancelled unless it ended before. Safe to call again."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def answer_in_conversation(actor: Actor, *, conversation_id: UUID, text: str) -> Answering:
    """Ask the conversation's agent and record its run step by step; refusals are raised at once, before anything runs.

    Raises `NotFound` for a conversation that the actor may not read, `NotAllowed` where it is somebody else's or
    without `agents:run` on the agent, `Invalid` naming `text`, and `Conflict`: `agent_archived`, `agent_unpublished`,
    `agent_external`, `agent_gone`, or `answering` while an answer in this conversation is under way.
    """
    raise NotImplementedError
