"""CollectedAnswer: one answer kept in memory while the agent gives it, to be stored together with others."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from typing import Any
from uuid import UUID

from django.utils import timezone

from activity.logic.answers import Call, Exchange
from activity.models import MessageRole, RunKind
from activity.operations import run_ends
from activity.operations.recording import Totals
from agents.logic.answerers import Answerer
from agents.logic.usage import Usage
from agents.loop.budget_watch import BudgetWatch
from agents.loop.events import Ended, ModelStep, ToolStep
from agents.provider import Waiting
from core.ids import new_id

Turn = Mapping[str, Any]


@dataclass(frozen=True)
class Prepared:
    """A version of an agent that may answer for somebody, as it was when that was asked.

    `answerer` is None where it cannot answer as things are, and `trouble` then says why; each answer fails with that.
    """

    organisation_id: UUID
    agent_id: UUID
    version_id: UUID
    member_id: UUID | None
    answerer: Answerer | None
    watch: BudgetWatch
    trouble: str = ""


@dataclass
class CollectedMessage:
    """A step that is done, in the shape of a message of a conversation."""

    role: str
    text: str
    tool_calls: Any = ()
    tool_call_id: str = ""
    tool_name: str = ""
    outcome: str = ""
    model: str = ""
    usage: Usage | None = None
    cost: Decimal | None = None
    seconds: float | None = None
    created_at: datetime = field(default_factory=timezone.now)


@dataclass
class CollectedAnswer:
    """An answer, under the ids that its run and its conversation will have.

    `end` says how it ended; `end.may_pass` whether another try may bring an answer (EV-D23). `waiting.seconds` is
    what it spent waiting before further tries, which `seconds` leaves out.
    """

    prepared: Prepared
    kind: RunKind
    turns: Sequence[Turn]
    run_id: UUID = field(default_factory=new_id)
    conversation_id: UUID = field(default_factory=new_id)
    messages: list[CollectedMessage] = field(default_factory=list)
    totals: Totals = field(default_factory=Totals)
    end: Ended = field(default_factory=run_ends.stopped)
    started_at: datetime = field(default_factory=timezone.now)
    finished_at: datetime | None = None
    waiting: Waiting = field(default_factory=Waiting)
    seconds: float | None = None
    _began: float = field(default_factory=time.monotonic)

    def add(self, step: ModelStep | ToolStep) -> None:
        """Take in a step that is done."""
        self.totals.add(step)
        self.messages.append(_message(step))

    def finish(self, end: Ended) -> None:
        """It ended this way, now."""
        self.end, self.finished_at = end, timezone.now()
        self.seconds = max(time.monotonic() - self._began - self.waiting.seconds, 0.0)

    @cached_property
    def fields(self) -> dict[str, Any]:
        """What it took, as a run keeps it; for an answer that ended."""
        return self.totals.as_fields()

    @property
    def text(self) -> str:
        """The whole answer as it is graded: the text of its steps, a blank line between."""
        return Exchange(None, self.messages).text

    @property
    def calls(self) -> list[Call[CollectedMessage]]:
        """Its tool calls in order, each with its end."""
        return Exchange(None, self.messages).calls

    @property
    def cost(self) -> Decimal | None:
        """In USD; None where that of a step is not known."""
        return self.fields["cost"]


def _message(step: ModelStep | ToolStep) -> CollectedMessage:
    if isinstance(step, ToolStep):
        return CollectedMessage(
            MessageRole.TOOL.value,
            step.result,
            tool_call_id=step.call_id,
            tool_name=step.name,
            outcome=step.outcome.value,
            seconds=step.seconds,
        )
    return CollectedMessage(
        MessageRole.ASSISTANT.value,
        step.text,
        tool_calls=[dict(call) for call in step.tool_calls],
        model=step.model,
        usage=step.usage,
        cost=step.cost,
        seconds=step.seconds,
    )
