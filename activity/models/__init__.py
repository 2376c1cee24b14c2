"""The tables of the activity app, one noun a module."""

from activity.models.conversation import Conversation
from activity.models.feedback import Feedback
from activity.models.message import Message, MessageRole, ToolOutcome
from activity.models.run import Run, RunKind, RunRating, RunStatus
from activity.models.trace_span import TraceSpan

__all__ = [
    "Conversation",
    "Feedback",
    "Message",
    "MessageRole",
    "Run",
    "RunKind",
    "RunRating",
    "RunStatus",
    "ToolOutcome",
    "TraceSpan",
]
