"""Recorder: keeps one run while its agent answers, each step as soon as it is done (PL-31)."""

import time
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.operations.persons import hold_persons
from activity.logic.sent_values import as_money
from activity.models import Conversation, Message, MessageRole, Run, RunStatus
from agents.logic.usage import Usage, sum_of_costs
from agents.loop.events import Ended, ModelStep, ToolStep
from agents.operations.spending import record_cost
from core.errors import Conflict


class RunIsGone(Exception):
    """The run, its conversation or its person was deleted meanwhile, or the run was ended by somebody else."""


@dataclass
class Totals:
    """What a run took so far. Tokens are those that were told; the cost is None once a step's is not known."""

    steps: int = 0
    tool_calls: int = 0
    usage: Usage | None = None
    costs: list[Decimal | None] = field(default_factory=list)
    model: str = ""

    def add(self, step: ModelStep | ToolStep) -> None:
        self.steps += 1
        if isinstance(step, ToolStep):
            return
        self.tool_calls += len(step.tool_calls)
        self.model = step.model or self.model
        if step.usage is not None:
            self.usage = step.usage if self.usage is None else self.usage + step.usage
        if step.seconds is not None:  # without a time it is a part of the step that has one
            self.costs.append(step.cost)

    def as_fields(self) -> dict[str, Any]:
        """As a run keeps them."""
        return {
            "step_count": self.steps,
            "tool_call_count": self.tool_calls,
            "model": self.model,
            "cost": sum_of_costs(None if cost is None else as_money(cost) for cost in self.costs),
            **usage_fields(self.usage),
        }


def usage_fields(usage: Usage | None) -> dict[str, int | None]:
    """Tokens as the columns of runs and messages keep them, null where nobody said them."""
    if usage is None:
        return {"input_tokens": None, "cached_tokens": None, "output_tokens": None}
    return {"input_tokens": usage.input, "cached_tokens": usage.cached, "output_tokens": usage.output}


@dataclass
class Recorder:
    """Of one run that was begun; `person_id` is whose words stand in the conversation."""

    run: Run
    conversation_id: UUID
    agent_id: UUID
    person_id: UUID | None = None
    totals: Totals = field(default_factory=Totals)
    began: float = field(default_factory=time.monotonic)

    @transaction.atomic
    def store(self, step: ModelStep | ToolStep) -> Message:
        """Keep a step that is done, count it, and count what it cost; all of it or nothing. Raises `RunIsGone`."""
        if isinstance(step, ModelStep):
            record_cost(
                agent_id=self.agent_id, usd=None if step.cost is None else as_money(step.cost), at=timezone.now()
            )
        self.totals.add(step)
        message = append_message(self.conversation_id, person_id=self.person_id, run=self.run, **_fields(step))
        if not self._running().update(**self.totals.as_fields()):
            raise RunIsGone
        return message

    def finish(self, end: Ended) -> Run:
        """Keep how the run ended; a run that is gone or was ended meanwhile stays as it is. Safe to call again."""
        self._running().update(
            status=end.status.value,
            error=end.error,
            finished_at=timezone.now(),
            seconds=time.monotonic() - self.began,
            **self.totals.as_fields(),
        )
        stored = Run.objects.filter(pk=self.run.pk).first()
        if stored is not None:
            self.run = stored
        else:
            self.run.status, self.run.error = end.status.value, end.error
        return self.run

    def _running(self) -> Any:
        return Run.objects.filter(pk=self.run.pk, status=RunStatus.RUNNING)


def append_message(conversation_id: UUID, *, person_id: UUID | None, **fields: Any) -> Message:
    """Put a message at the end of a conversation, inside a transaction. Raises `RunIsGone`.

    Nothing more comes into the conversation of a person who is being erased (ACC-D35).
    """
    try:
        hold_persons([person_id] if person_id else [])
    except Conflict:
        raise RunIsGone from None
    rows = Conversation.objects.filter(pk=conversation_id)
    place = rows.select_for_update(no_key=True).values_list("next_position", flat=True).first()
    if place is None:
        raise RunIsGone
    rows.update(next_position=F("next_position") + 1, last_at=timezone.now())
    return Message.objects.create(conversation_id=conversation_id, position=place, **fields)


def _fields(step: ModelStep | ToolStep) -> dict[str, Any]:
    if isinstance(step, ToolStep):
        return {
            "role": MessageRole.TOOL,
            "text": step.result,
            "tool_call_id": step.call_id,
            "tool_name": step.name,
            "outcome": step.outcome.value,
            "seconds": step.seconds,
        }
    return {
        "role": MessageRole.ASSISTANT,
        "text": step.text,
        "tool_calls": [dict(call) for call in step.tool_calls],
        "model": step.model,
        "cost": None if step.cost is None else as_money(step.cost),
        "seconds": step.seconds,
        **usage_fields(step.usage),
    }
