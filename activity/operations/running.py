"""Asking an agent in a conversation, its run recorded while it answers (PL-23, PL-30, PL-31)."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeAlias
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.models import Person
from accounts.operations.persons import ensure_person_of_member, hold_persons
from activity.logic.chat_shape import chat_message
from activity.models import Conversation, Message, MessageRole, Run, RunKind, RunStatus
from activity.operations import run_ends
from activity.operations.hosting import Stored, answer_over_desk
from activity.operations.lost_runs import end_lost_runs
from activity.operations.recording import Recorder, RunIsGone, append_message
from activity.queries.conversations import find_conversation, require_owner
from activity.queries.talking import find_agent_to_talk_to
from agents.loop.desk import attend
from agents.loop.events import Ended, Ending, TextPiece
from agents.models import AgentVersion
from agents.queries.answering import CannotAnswer, answerer_of
from core.errors import Conflict, Invalid, NotFound
from core.folding import fold
from core.limits import LIMITS
from core.logging import logger
from core.texts import UNSTORABLE, plain_lines

log = logger("casebook.running")

# How often a reader is looked after while nothing comes.
IDLE_SECONDS = 2.0

__all__ = ["Answering", "Finished", "Progress", "Stored", "TextPiece", "Waiting", "answer_in_conversation"]


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

    def __init__(self, run: Run, question: Message, version: AgentVersion, person: Person) -> None:
        self.run, self.question = run, question
        self._recorder = Recorder(run, question.conversation_id, version.agent_id, person.pk)
        self._progress = self._run_through(version)
        self._is_begun = False

    def __next__(self) -> Progress:
        self._is_begun = True
        return next(self._progress)

    def close(self) -> None:
        """Stop; the run ends as cancelled unless it ended before. Safe to call again."""
        self._progress.close()
        if not self._is_begun:
            self._is_begun = True
            self.run = self._recorder.finish(run_ends.stopped())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _run_through(self, version: AgentVersion) -> Generator[Progress, None, None]:
        end = run_ends.stopped()
        try:
            end = yield from self._answered(version)
        except RunIsGone:
            end = run_ends.deleted()
        except Exception:
            log.exception("answer_failed", run=str(self.run.pk))
            end = run_ends.fault()
        finally:
            self.run = self._recorder.finish(end)
        yield Finished(self.run)

    def _answered(self, version: AgentVersion) -> Generator[Progress, None, Ended]:
        try:
            answerer = answerer_of(version)
        except CannotAnswer as reason:
            return Ended(Ending.FAILED, str(reason))
        rows = Message.objects.filter(
            conversation_id=self.question.conversation_id, position__lte=self.question.position
        )
        messages = [chat_message(row) for row in rows.order_by("position")]
        steps = attend(
            lambda desk: answer_over_desk(desk, self._recorder, answerer, messages, isolated=False),
            idle_seconds=IDLE_SECONDS,
        )
        return (yield from _or_waiting(steps))


def _or_waiting(steps: Generator[TextPiece | Stored | None, None, Ended]) -> Generator[Progress, None, Ended]:
    """The steps, and `Waiting` for each time that nothing came."""
    try:
        while True:
            try:
                step = next(steps)
            except StopIteration as end:
                return end.value
            yield Waiting() if step is None else step
    finally:
        steps.close()


def answer_in_conversation(actor: Actor, *, conversation_id: UUID, text: str) -> Answering:
    """Ask the conversation's agent and record its run step by step; refusals are raised at once, before anything runs.

    Not to be called inside a transaction: an answer may take minutes. Raises `NotFound` for a conversation that the
    actor may not read, `NotAllowed` where it is somebody else's or without `agents:run` on the agent, `Invalid` naming
    `text`, and `Conflict`: `agent_archived`, `agent_unpublished`, `agent_external`, `agent_gone`, `person_erased`, or
    `answering` while an answer in this conversation is under way.
    """
    question = _checked(text)
    conversation = find_conversation(actor, conversation_id)
    require_owner(actor, conversation)
    if conversation.agent_id is None:
        raise Conflict("agent_gone", _("The agent of this conversation is gone."))
    agent = find_agent_to_talk_to(actor, conversation.agent_id)
    version = AgentVersion.objects.select_related("agent").get(agent=agent, number=agent.newest_version)
    return _begin(actor, conversation, version, question)


@transaction.atomic
def _begin(actor: Actor, conversation: Conversation, version: AgentVersion, text: str) -> Answering:
    """The question and its run, stored together."""
    person = ensure_person_of_member(actor.member)  # type: ignore[arg-type]  # an owner is a member
    hold_persons([person.pk])
    if not Conversation.objects.select_for_update(no_key=True).filter(pk=conversation.pk).first():
        raise NotFound
    _refuse_while_answering(conversation)
    beginning = text[: LIMITS.run_question_characters]
    run = Run.objects.create(
        organisation=actor.organisation,
        agent=version.agent,
        agent_version=version,
        conversation=conversation,
        person=person,
        started_by=actor.member,
        kind=RunKind.PRODUCTION,
        question=beginning,
        question_folded=fold(beginning)[: LIMITS.run_question_characters * 2],
    )
    question = append_message(conversation.pk, person_id=None, run=run, role=MessageRole.USER, text=text, author=person)
    return Answering(run, question, version, person)


def _refuse_while_answering(conversation: Conversation) -> None:
    """One answer at a time; one whose process ended does not count."""
    end_lost_runs(Run.objects.filter(conversation=conversation))
    if Run.objects.filter(conversation=conversation, status=RunStatus.RUNNING).exists():
        raise Conflict("answering", _("The agent is still answering. Wait for it, or stop it."))


def _checked(text: str) -> str:
    question = plain_lines(text)
    if not question.strip():
        raise Invalid.at("text", _("Write a question."))
    if UNSTORABLE.search(question):
        raise Invalid.at("text", _("The text holds a character that cannot be stored (NUL or half of a pair)."))
    if len(question) > LIMITS.chat_characters:
        raise Invalid.at("text", _("At most %(most)d characters.") % {"most": LIMITS.chat_characters})
    return question
