"""Reading one answer whole: its question, the turns before it, its steps and what people thought of it (DS-166)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import IntegerField, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.actor import Actor
from activity.logic.answers import Call, Exchange, Turn, calls_of, exchanges, joined_text, last_step, turns_of
from activity.models import Conversation, Feedback, Message, MessageRole, RunRating
from activity.queries.conversations import readable_conversations
from core.errors import NotFound

MOST = 2**31 - 1  # more than any place in a conversation


@dataclass(frozen=True)
class Answer:
    """The agent's whole answer to one question: every step it wrote before the next (DS-166).

    `question` is None where the agent spoke first. `before` are the messages before the question, `steps` the
    assistant's and tools' messages of the answer, `feedback` all ratings of its steps with their persons, the newest
    first.
    """

    conversation: Conversation
    question: Message | None
    before: list[Message]
    steps: list[Message]
    feedback: list[Feedback]

    @cached_property
    def text(self) -> str:
        """The text of its steps, a blank line between (DS-D55)."""
        return joined_text(self.steps)

    @cached_property
    def calls(self) -> list[Call[Message]]:
        """Its tool calls in order, with their outcome."""
        return calls_of(self.steps)

    @cached_property
    def turns_before(self) -> list[Turn[Message]]:
        """The earlier conversation as a case keeps it, each turn with its messages, whose authors count (ACC-55)."""
        return turns_of(self.before)

    @property
    def last(self) -> Message | None:
        """The last message that the agent wrote; None where there was no more than a tool's result, or nothing yet."""
        return last_step(self.steps)

    @property
    def rating(self) -> str:
        """The newest rating, empty where nobody rated it."""
        return self.feedback[0].rating if self.feedback else ""

    @property
    def is_rated_down(self) -> bool:
        """Whether somebody rated it thumbs down (DS-167)."""
        return any(found.rating == RunRating.DOWN for found in self.feedback)

    @property
    def newest_comment(self) -> Feedback | None:
        """The newest comment left with a thumbs down, whose person wrote it (DS-172)."""
        down = (found for found in self.feedback if found.rating == RunRating.DOWN)
        return next((found for found in down if found.comment.strip()), None)


def find_answer(actor: Actor, message_id: UUID) -> Answer:
    """The answer that this message belongs to, where the actor may open its conversation (DS-174 to DS-176).

    Raises `NotFound`: another organisation's message, one of a conversation out of reach, one that does not exist.
    """
    return answer_of(find_message(actor, message_id))


def find_message(actor: Actor, message_id: UUID) -> Message:
    """The message with its conversation, agent, owner and run. Raises `NotFound` where the actor may not read it."""
    readable = readable_conversations(actor).order_by().values("pk")
    rows = Message.objects.select_related("conversation__agent", "conversation__owner__user", "run")
    found = rows.filter(pk=message_id, conversation__in=readable).first()
    if found is None:
        raise NotFound
    return found


def answer_of(message: Message) -> Answer:
    """The answer around this message, whichever of its steps or its question it is; two queries."""
    said = Message.objects.filter(conversation_id=message.conversation_id)
    after = said.filter(role=MessageRole.USER, position__gt=message.position).order_by("position")
    end = Coalesce(Subquery(after.values("position")[:1]), Value(MOST), output_field=IntegerField())
    rows = list(said.filter(position__lt=end).order_by("position"))
    asked = [row for row in rows if row.role == MessageRole.USER]
    question = asked[-1] if asked else None
    start = rows.index(question) if question else 0
    steps = [row for row in rows[start:] if row.role in (MessageRole.ASSISTANT, MessageRole.TOOL)]
    return Answer(message.conversation, question, rows[:start], steps, feedback_on(steps))


def answers_of_runs(run_ids: Iterable[UUID]) -> dict[UUID, Exchange[Message]]:
    """What each run answered, its last exchange where it holds several; one query.

    A run without anything that an agent wrote is left out: nothing was said, or a helper's run keeps no words (ACC-24).
    """
    said: dict[UUID, list[Message]] = {}
    for message in Message.objects.filter(run__in=list(run_ids)).order_by("conversation_id", "position"):
        said.setdefault(message.run_id, []).append(message)  # type: ignore[arg-type]  # it was looked for by its run
    last = {run_id: (exchanges(messages) or [Exchange(None)])[-1] for run_id, messages in said.items()}
    return {run_id: exchange for run_id, exchange in last.items() if exchange.last_step is not None}


def feedback_on(steps: Sequence[Message]) -> list[Feedback]:
    """The ratings of these messages with their persons, the newest first."""
    rows = Feedback.objects.filter(message__in=[step.pk for step in steps]).select_related("person__member__user")
    return list(rows.order_by("-changed_at", "-id"))
