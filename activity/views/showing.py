"""What the templates of a conversation need to know about one exchange, on its page and in the stream alike."""

from typing import Any

from activity.models import Conversation
from activity.places import companions_for, controls_for
from activity.queries.conversations import is_own
from activity.queries.exchanges import ShownExchange


def exchange_context(request: Any, conversation: Conversation, shown: ShownExchange) -> dict[str, Any]:
    """One exchange with what the reader may do about it."""
    return {**reader_context(request, conversation), "shown": shown, "is_newest": True}


def reader_context(request: Any, conversation: Conversation) -> dict[str, Any]:
    """Whether the reader talks here, and what later apps offer them at each answer."""
    return {
        "conversation": conversation,
        "own": is_own(request.actor, conversation),
        "controls": controls_for(request.actor),
        "companions": companions_for(request.actor),
    }
