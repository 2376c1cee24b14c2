"""Completing a run that is there: spans that came late say more of it (PL-33)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import F

from activity.logic.openai_messages import SentMessage, own_part
from activity.logic.sent_runs import SentRun
from activity.models import Conversation, Message, MessageRole, Run
from activity.operations.ingest_costs import Measures, Pricing
from agents.operations.spending import record_costs

FIELDS = (
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
)
# Out of the way while places are exchanged, of which each may be taken once.
ASIDE, OWN_ASIDE = 1_000_000_000, 1_500_000_000


def complete_run(run_id: UUID, sent: SentRun) -> None:
    """Make the run say what `sent` does. Call inside a transaction.

    Messages keep their ids where they can, the answer's last above all, since ratings and cases name it; what is new
    goes between them, and what was said later in the conversation moves on.
    """
    run = Run.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run_id).first()
    if run is None or run.conversation_id is None:
        return
    conversation = Conversation.objects.select_for_update(no_key=True, of=("self",)).get(pk=run.conversation_id)
    measures = Pricing(run.organisation_id, [sent]).measures_of(sent)
    _write_messages(run, conversation, own_part([each for each in sent.messages if each.role != "system"]), measures)
    before = run.cost or 0
    steps = [each for each in own_part(sent.messages) if each.role in ("assistant", "tool")]
    run.step_count, run.tool_call_count = len(steps), sum(len(each.tool_calls) for each in steps)
    run.status, run.error, run.seconds = sent.status, sent.error, sent.seconds
    run.model, run.cost = measures.model, measures.cost
    run.input_tokens, run.cached_tokens, run.output_tokens = measures.input, measures.cached, measures.output
    run.started_at, run.finished_at = sent.started_at or run.started_at, sent.finished_at
    run.save()
    if run.agent_id and measures.cost and measures.cost > before:
        record_costs([(run.agent_id, measures.cost - before, run.started_at)])


def _write_messages(run: Run, conversation: Conversation, told: Sequence[SentMessage], measures: Measures) -> None:
    old = list(Message.objects.filter(run=run).exclude(role=MessageRole.SYSTEM).order_by("position"))
    if not old:
        return
    if old[0].role != MessageRole.USER:
        # The question may stand before, as where the conversation had it already when the run came.
        earlier = Message.objects.filter(conversation=conversation, role=MessageRole.USER, position__lt=old[0].position)
        told = [each for each in told if each.role != "user" or not earlier.filter(text=each.text).exists()]
    if len(told) < len(old):
        return
    places = _make_room(conversation, old, len(told) - len(old))
    rows = _matched(old, told)
    for place, message, row in zip(places, told, rows, strict=True):
        row = row or Message(conversation=conversation, run=run, created_at=run.started_at)
        values = (*_said(message), *measures.of_step(message))
        for name, value in zip(FIELDS, values, strict=True):
            setattr(row, name, value)
        row.position = place
        if row.role == MessageRole.USER:
            row.author_id = run.person_id
        row.save()


def _said(message: SentMessage) -> tuple[Any, ...]:
    calls = (message.tool_calls, message.tool_call_id, message.tool_name)
    return message.role, message.text, *calls, message.outcome


def _make_room(conversation: Conversation, old: Sequence[Message], more: int) -> range:
    """The places of the run's messages, with `more` of them; the run's own are put aside, later ones move on."""
    start, end = old[0].position, old[-1].position
    said = Message.objects.filter(conversation=conversation)
    said.filter(position__gt=end).update(position=F("position") + ASIDE)
    said.filter(pk__in=[row.pk for row in old]).update(position=F("position") + OWN_ASIDE)
    said.filter(position__gt=ASIDE, position__lt=OWN_ASIDE).update(position=F("position") - ASIDE + more)
    Conversation.objects.filter(pk=conversation.pk).update(next_position=F("next_position") + more)
    return range(start, end + more + 1)


def _matched(old: Sequence[Message], told: Sequence[SentMessage]) -> list[Message | None]:
    """For each message the row that becomes it: the agent's last is the agent's last, the others follow in order."""
    last = next((row for row in reversed(old) if row.role == MessageRole.ASSISTANT), None)
    place = next((index for index in range(len(told) - 1, -1, -1) if told[index].role == "assistant"), None)
    others = iter([row for row in old if row is not last or place is None])
    return [last if index == place and last is not None else next(others, None) for index in range(len(told))]
