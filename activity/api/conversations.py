"""The endpoints of conversations: listing, reading, asking, sharing, deleting (PL-30, PL-40)."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from activity.api.conversation_shapes import (
    AnsweredOut,
    ConversationDetailOut,
    ConversationIn,
    ConversationOut,
    ConversationPatch,
    ConversationQuery,
    QuestionIn,
)
from activity.api.run_shapes import RunMessageOut
from activity.operations.conversations import (
    begin_conversation,
    change_conversation,
    delete_conversation,
    lock_own,
)
from activity.operations.running import Answering, answer_in_conversation
from activity.queries.conversations import find_conversation, listed_conversations, refuse_if_out_of_sight
from activity.queries.told_messages import messages_of_run, messages_told, newest_messages
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.errors import Invalid, NotFound
from core.paging import Order

NEWEST_FIRST = [Order("id", descending=True)]
IN_ORDER = [Order("position")]
CONFLICTS = (
    "agent_archived",
    "agent_external",
    "agent_gone",
    "agent_unpublished",
    "answering",
    "person_erased",
    "request_running",
)


class ConversationEndpoint(Endpoint):
    """An endpoint whose address may hold a conversation's id."""

    def before_replay(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """A member who has lost sight of the conversation is told nothing of it again."""
        refuse_if_out_of_sight(self.actor, kwargs["conversation_id"])

    def answered(self, run_id: UUID, *, status: int = 201) -> Response:
        """The run's result with the messages of the exchange."""
        run, messages = messages_of_run(self.actor, run_id)
        data = self.json_of({"conversation": run.conversation, "run": run, "messages": messages}, AnsweredOut)
        address = reverse("api_conversation", args=[run.conversation_id])
        return Response(data, status=status, headers={"Location": address})


class ConversationList(ConversationEndpoint):
    """The conversations that the caller may open, and new ones."""

    acts_before = True

    @describe(
        "Conversations",
        answer=ConversationOut,
        query=ConversationQuery,
        paged="keyset",
        operation_id="conversations_list",
    )
    def get(self, request: Request) -> Response:
        """List the conversations you may open.

        The newest first: your own, those shared with you, and with `runs:view` every one.
        """
        query = self.query(ConversationQuery)
        found = listed_conversations(self.actor, search=query.get("q", ""), agent_id=query.get("agent"))
        return self.keyset(found, NEWEST_FIRST, query, ConversationOut)

    def prepare(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """The answer, before the transaction that keeps the reply: an agent may take minutes."""
        asked = self.read(ConversationIn)
        try:
            return waited_for(lambda: begin_conversation(self.actor, agent_id=asked["agent"], text=asked["input"]))
        except NotFound:
            raise Invalid.at("agent", _("There is no such agent.")) from None

    def before_replay(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """What was made is the caller's own."""

    @describe("Conversations", body=ConversationIn, answer=AnsweredOut, status=201, conflicts=CONFLICTS)
    def post(self, request: Request) -> Response:
        """Begin a conversation with an agent.

        Answers when the agent has: `run.status` says how it went. It is private to you until you share it. Needs
        `agents:run` on the agent, which must be active and published.
        """
        return self.answered(self.prepared)


class ConversationDetail(ConversationEndpoint):
    """One conversation."""

    @describe("Conversations", answer=ConversationDetailOut, etag=True)
    def get(self, request: Request, conversation_id: UUID) -> Response:
        """Read a conversation with its newest messages."""
        found: Any = find_conversation(self.actor, conversation_id)
        found.told, found.has_earlier = newest_messages(found)
        return self.answer(found, ConversationDetailOut)

    @describe("Conversations", body=ConversationPatch, answer=ConversationOut, etag=True)
    def patch(self, request: Request, conversation_id: UUID) -> Response:
        """Change the title or the visibility of your conversation.

        What is left out stays. `organisation` lets everyone read it who can see the agent.
        """
        self.require_match(lock_own(self.actor, conversation_id), ConversationOut)
        changed = change_conversation(self.actor, conversation_id=conversation_id, **self.read(ConversationPatch))
        return self.answer(changed, ConversationOut)

    @describe("Conversations", status=204)
    def delete(self, request: Request, conversation_id: UUID) -> Response:
        """Delete a conversation with its messages and runs.

        By its owner, or with `privacy:manage`. Cases made from it stay and lose their link to it.
        """
        delete_conversation(self.actor, conversation_id=conversation_id)
        return Response(status=204)


class ConversationMessages(ConversationEndpoint):
    """The messages of one conversation, and the next question."""

    acts_before = True

    @describe("Conversations", answer=RunMessageOut, query=KeysetQuery, paged="keyset", operation_id="messages_list")
    def get(self, request: Request, conversation_id: UUID) -> Response:
        """List the messages of a conversation.

        In order, the oldest first.
        """
        found = find_conversation(self.actor, conversation_id)
        return self.keyset(messages_told(found), IN_ORDER, self.query(KeysetQuery), RunMessageOut)

    def prepare(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """The answer, before the transaction that keeps the reply: an agent may take minutes."""
        found = find_conversation(self.actor, kwargs["conversation_id"])
        text = self.read(QuestionIn)["input"]
        return waited_for(lambda: answer_in_conversation(self.actor, conversation_id=found.pk, text=text))

    @describe("Conversations", body=QuestionIn, answer=AnsweredOut, status=201, conflicts=CONFLICTS)
    def post(self, request: Request, conversation_id: UUID) -> Response:
        """Ask the next question in your conversation.

        Answers when the agent has: `run.status` says how it went.
        """
        return self.answered(self.prepared)


def waited_for(ask: Callable[[], Answering]) -> UUID:
    """The id of the run once it has ended; what is wrong with the question is said of `input`."""
    try:
        answering = ask()
    except Invalid as error:
        raise Invalid(replace(problem, field="input") for problem in error.problems) from None
    with answering:
        for _progress in answering:
            pass
    return answering.run.pk
