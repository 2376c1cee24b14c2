"""From runs as they were sent to rows: conversations, runs, messages, ratings and what was spent, in few statements."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from accounts.models import Organisation
from accounts.operations.persons import hold_persons, persons_by_external_ids
from activity.logic.openai_messages import SentMessage, own_part, question_of
from activity.logic.sent_runs import SentRun
from activity.models import Feedback, Message, Run
from activity.operations.bulk_rows import insert_rows
from activity.operations.ingest_conversations import OpenConversation, open_conversations, store_conversations
from activity.operations.ingest_costs import Measures, Pricing
from agents.operations.spending import record_costs
from core.folding import fold
from core.ids import new_id
from core.json_values import compact
from core.limits import LIMITS

RUN_NAMES = (
    "id",
    "organisation_id",
    "agent_id",
    "agent_version_id",
    "conversation_id",
    "person_id",
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
    "rating",
    "idempotency_key",
    "trace_id",
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
    "author_id",
    "model",
    "input_tokens",
    "cached_tokens",
    "output_tokens",
    "cost",
    "seconds",
    "created_at",
)
FEEDBACK_NAMES = ("id", "message_id", "person_id", "rating", "comment", "created_at", "changed_at")
KEY = RUN_NAMES.index("idempotency_key")


@dataclass(frozen=True)
class MadeRun:
    """The ids of what was stored for one run."""

    run_id: UUID
    conversation_id: UUID
    message_id: UUID | None


class Rows:
    """The rows of one request, collected before any is written."""

    def __init__(self, organisation: Organisation, people: Mapping[str, UUID], pricing: Pricing) -> None:
        self.organisation_id = organisation.pk
        self.people = people
        self.pricing = pricing
        self.now = timezone.now()
        self.runs: list[tuple[Any, ...]] = []
        self.messages: list[tuple[Any, ...]] = []
        self.feedback: list[tuple[Any, ...]] = []
        self.costs: list[tuple[UUID, Any, datetime]] = []

    def add(self, run: SentRun, conversation: OpenConversation, version_id: UUID | None) -> MadeRun:
        """Take one run in: its new messages at the end of the conversation, and itself."""
        run_id, person_id = new_id(), self.people.get(run.person) if run.person else None
        began, ended = self._times(run)
        measures = self.pricing.measures_of(run)
        fresh = conversation.add(run.messages)
        question = question_of(run.messages)
        answer_id = self._add_messages(fresh, conversation, (run_id, person_id), (began, ended), measures)
        conversation.told(question, person_id, began, ended)
        rating = self._add_feedback(run, answer_id, person_id)
        beginning = question[: LIMITS.run_question_characters]
        steps = [each for each in own_part(run.messages) if each.role in ("assistant", "tool")]
        self.runs.append(
            (
                *(run_id, self.organisation_id, run.agent_id, version_id, conversation.id, person_id),
                *(run.kind, run.status, run.error, beginning, folded(beginning), measures.model),
                *(len(steps), sum(len(each.tool_calls) for each in steps)),
                *(measures.input, measures.cached, measures.output, measures.cost, run.seconds, rating),
                *(run.idempotency_key, run.trace_id, began, ended),
            )
        )
        self.costs.append((run.agent_id, measures.cost, began))
        return MadeRun(run_id, conversation.id, answer_id)

    def _times(self, run: SentRun) -> tuple[datetime, datetime]:
        """Beginning and end; a run of which only the duration is known has ended now."""
        began = run.started_at or self.now - timedelta(seconds=run.seconds or 0)
        return began, run.finished_at or began + timedelta(seconds=run.seconds or 0)

    def _add_messages(
        self,
        fresh: Sequence[SentMessage],
        conversation: OpenConversation,
        owners: tuple[UUID, UUID | None],
        times: tuple[datetime, datetime],
        measures: Measures,
    ) -> UUID | None:
        """Store the new messages; the id of the agent's last. Turns before the question are no part of the run."""
        (run_id, person_id), (began, ended), answer_id = owners, times, None
        own = {id(each) for each in own_part(fresh)}
        for message in fresh:
            key, role = new_id(), message.role
            if role == "assistant" and id(message) in own:
                answer_id = key
            used = measures.of_step(message)
            self.messages.append(
                (
                    *(key, conversation.id, run_id if id(message) in own or role == "system" else None),
                    *(conversation.next_position, role, message.text),
                    compact(message.tool_calls) if message.tool_calls else "[]",
                    *(message.tool_call_id, message.tool_name, message.outcome),
                    person_id if role == "user" else None,
                    *used,
                    ended if role == "assistant" else began,
                )
            )
            conversation.next_position += 1
        return answer_id

    def _add_feedback(self, run: SentRun, answer_id: UUID | None, person_id: UUID | None) -> str:
        if run.feedback is None or answer_id is None:
            return ""
        by = self.people[run.feedback.person] if run.feedback.person else person_id
        self.feedback.append((new_id(), answer_id, by, run.feedback.rating, run.feedback.comment, self.now, self.now))
        return run.feedback.rating

    def write(self, conversations: Sequence[OpenConversation]) -> None:
        """Store everything. Runs go in the order of their keys, so that two requests never wait in a circle."""
        store_conversations(self.organisation_id, conversations)
        insert_rows(Run, RUN_NAMES, sorted(self.runs, key=lambda row: row[KEY] or ""))
        insert_rows(Message, MESSAGE_NAMES, self.messages)
        if self.feedback:
            insert_rows(Feedback, FEEDBACK_NAMES, self.feedback)
        record_costs(self.costs)


def store_runs(
    organisation: Organisation, runs: Sequence[SentRun], versions: Mapping[tuple[UUID, int], UUID]
) -> list[MadeRun]:
    """Store runs whose keys are not there yet; the ids for each, in order. Call inside a transaction.

    Raises `IntegrityError` where another request stores the same key or conversation at the same time, `Conflict`
    where a person is being erased.
    """
    if not runs:
        return []
    named = {name for run in runs for name in (run.person, run.feedback and run.feedback.person) if name}
    people = persons_by_external_ids(organisation, external_ids=named) if named else {}
    hold_persons(list(people.values()))
    rows = Rows(organisation, people, Pricing(organisation.pk, runs))
    places = {(run.agent_id, run.conversation) for run in runs if run.conversation is not None}
    opened = open_conversations(organisation.pk, places)
    made, conversations = [], list(opened.values())
    for run in runs:
        if run.conversation is None:
            conversation = OpenConversation(new_id(), run.agent_id, None)
            conversations.append(conversation)
        else:
            conversation = opened[run.agent_id, run.conversation]
        version_id = None if run.version is None else versions[run.agent_id, run.version]
        made.append(rows.add(run, conversation, version_id))
    rows.write(conversations)
    return made


def folded(question: str) -> str:
    """The question as search compares it, as far as the column holds it."""
    return fold(question)[: LIMITS.run_question_characters * 2]
