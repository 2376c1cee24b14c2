"""What the deletion of a conversation takes with it, in numbers."""

from dataclasses import dataclass

from activity.models import Conversation, Feedback


@dataclass(frozen=True)
class Going:
    """How much of each kind goes."""

    messages: int
    runs: int
    ratings: int


def what_goes(conversation: Conversation) -> Going:
    """Counted now."""
    ratings = Feedback.objects.filter(message__conversation=conversation).count()
    return Going(conversation.messages.count(), conversation.runs.count(), ratings)
