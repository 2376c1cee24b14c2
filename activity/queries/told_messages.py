"""The messages of a conversation with their ratings, as the API tells them."""

from uuid import UUID

from django.db.models import QuerySet

from accounts.actor import Actor
from activity.models import Conversation, Message, Run
from activity.queries.conversations import readable_conversations
from activity.queries.run_messages import RATINGS
from core.errors import NotFound
from core.limits import LIMITS


def messages_told(conversation: Conversation) -> QuerySet[Message]:
    """All of them, order and paging left to the caller; whoever asks has decided that they may be read."""
    return Message.objects.filter(conversation=conversation).prefetch_related(RATINGS)


def newest_messages(conversation: Conversation) -> tuple[list[Message], bool]:
    """The newest in order, and whether there are more before them."""
    rows = list(messages_told(conversation).order_by("-position")[: LIMITS.page_size_max + 1])
    return rows[LIMITS.page_size_max - 1 :: -1], len(rows) > LIMITS.page_size_max


def messages_of_run(actor: Actor, run_id: UUID) -> tuple[Run, list[Message]]:
    """A run in a conversation that the actor may open, with its own messages. Raises `NotFound`."""
    rows = Run.objects.select_related(
        "agent", "agent_version", "person__member__user", "conversation__agent", "conversation__owner__user"
    )
    run = rows.filter(pk=run_id, conversation__in=readable_conversations(actor).order_by().values("pk")).first()
    if run is None:
        raise NotFound
    return run, list(Message.objects.filter(run=run).order_by("position").prefetch_related(RATINGS))
