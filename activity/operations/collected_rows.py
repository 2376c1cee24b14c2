"""Storing collected answers: conversations, runs, messages and what was spent, in few statements for many of them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import models, transaction

from accounts.models import Member
from activity.logic.sent_values import as_money
from activity.models import Conversation, Message, Run
from activity.operations.bulk_rows import insert_rows
from activity.operations.collected_answers import CollectedAnswer, CollectedMessage
from activity.operations.recording import usage_fields
from agents.models import Agent, AgentVersion
from agents.operations.spending import record_costs
from agents.queries.spending import NOTHING
from core.folding import fold
from core.ids import new_id
from core.json_values import compact
from core.limits import LIMITS

CONVERSATION_NAMES = ("id", "organisation_id", "agent_id", "next_position", "started_at", "last_at")
RUN_NAMES = (
    "id",
    "organisation_id",
    "agent_id",
    "agent_version_id",
    "conversation_id",
    "started_by_id",
    "kind",
    "status",
    "error",
    "question",
    "question_folded",
    "model",
    "step_count",
    "tool_call_count",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cost",
    "seconds",
    "started_at",
    "finished_at",
)
MESSAGE_NAMES = (
    "id",
    "conversation_id",
    "run_id",
    "position",
    "role",
    "text",
    "tool_calls",
    "tool_call_id",
    "tool_name",
    "outcome",
    "model",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cost",
    "seconds",
    "created_at",
)
Row = tuple[Any, ...]


def store_collected(answers: Sequence[CollectedAnswer]) -> None:
    """Store answers that ended: a run each in a conversation of its own, which nobody owns, so `runs:view` reads it.

    Call inside the transaction that stores what belongs to them. An agent, version or member that was deleted meanwhile
    is named no more. Raises `IntegrityError`, perhaps only at the commit, where one is deleted in this very moment:
    then nothing is stored, and the same again stores it.
    """
    if not answers:
        return
    left = _Left.of(answers)
    insert_rows(Conversation, CONVERSATION_NAMES, (_conversation(each, left) for each in answers))
    insert_rows(Run, RUN_NAMES, (_run(each, left) for each in answers))
    insert_rows(Message, MESSAGE_NAMES, (row for each in answers for row in _messages(each)))
    record_costs(_spent(answers, left))
    transaction.on_commit(partial(_tell_watches, answers))


@transaction.atomic
def store_alone(answer: CollectedAnswer) -> Run:
    """The same for one, in a transaction of its own."""
    store_collected([answer])
    return Run.objects.get(pk=answer.run_id)


@dataclass(frozen=True)
class _Left:
    """Which of the rows that the answers name are still there."""

    agents: Collection[UUID]
    versions: Collection[UUID]
    members: Collection[UUID]

    @classmethod
    def of(cls, answers: Sequence[CollectedAnswer]) -> "_Left":
        prepared = {id(each.prepared): each.prepared for each in answers}.values()
        return cls(
            _existing(Agent, {each.agent_id for each in prepared}),
            _existing(AgentVersion, {each.version_id for each in prepared}),
            _existing(Member, {each.member_id for each in prepared if each.member_id}),
        )


def _existing(model: type[models.Model], ids: Collection[UUID]) -> set[UUID]:
    return set(model._default_manager.filter(pk__in=ids).values_list("pk", flat=True)) if ids else set()


def _known(key: UUID | None, left: Collection[UUID]) -> UUID | None:
    return key if key in left else None


def _conversation(answer: CollectedAnswer, left: _Left) -> Row:
    organisation_id, agent_id = answer.prepared.organisation_id, _known(answer.prepared.agent_id, left.agents)
    place = len(answer.turns) + len(answer.messages) + 1
    return answer.conversation_id, organisation_id, agent_id, place, answer.started_at, answer.finished_at


def _run(answer: CollectedAnswer, left: _Left) -> Row:
    prepared, took = answer.prepared, answer.fields
    beginning = answer.turns[-1]["content"][: LIMITS.run_question_characters]
    return (
        *(answer.run_id, prepared.organisation_id),
        *(_known(prepared.agent_id, left.agents), _known(prepared.version_id, left.versions)),
        *(answer.conversation_id, _known(prepared.member_id, left.members)),
        *(answer.kind.value, answer.end.status.value, answer.end.error),
        *(beginning, fold(beginning)[: LIMITS.run_question_characters * 2]),
        *(took["model"], took["step_count"], took["tool_call_count"]),
        *(took["input_tokens"], took["cached_tokens"], took["output_tokens"], took["cost"]),
        *(answer.seconds, answer.started_at, answer.finished_at),
    )


def _messages(answer: CollectedAnswer) -> Iterator[Row]:
    """The earlier turns, which are no part of the run, the question, and the steps."""
    last = len(answer.turns)
    for place, turn in enumerate(answer.turns, start=1):
        message = CollectedMessage(turn["role"], turn["content"], created_at=answer.started_at)
        yield _message(answer, message, place, answer.run_id if place == last else None)
    for place, message in enumerate(answer.messages, start=last + 1):
        yield _message(answer, message, place, answer.run_id)


def _message(answer: CollectedAnswer, message: CollectedMessage, place: int, run_id: UUID | None) -> Row:
    used = usage_fields(message.usage)
    return (
        *(new_id(), answer.conversation_id, run_id, place, str(message.role), message.text),
        compact(message.tool_calls) if message.tool_calls else "[]",
        *(message.tool_call_id, message.tool_name, message.outcome, message.model),
        *(used["input_tokens"], used["cached_tokens"], used["output_tokens"]),
        *(None if message.cost is None else as_money(message.cost), message.seconds, message.created_at),
    )


def _spent(answers: Sequence[CollectedAnswer], left: _Left) -> Iterator[tuple[UUID, Any, Any]]:
    for answer in answers:
        if answer.prepared.agent_id in left.agents:
            for message in answer.messages:
                if message.cost is not None:
                    yield answer.prepared.agent_id, as_money(message.cost), message.created_at


def _tell_watches(answers: Sequence[CollectedAnswer]) -> None:
    for answer in answers:
        answer.prepared.watch.stored(sum((each.cost for each in answer.messages if each.cost), NOTHING))
