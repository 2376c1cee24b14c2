"""The endpoints of activity under /api/v1."""

from django.urls import URLPattern, URLResolver, path

from activity.api.conversations import ConversationDetail, ConversationList, ConversationMessages
from activity.api.feedback import FeedbackIngest
from activity.api.otlp import Traces
from activity.api.ratings import AnswerRating
from activity.api.runs import RunDetail, RunList

urlpatterns: list[URLPattern | URLResolver] = [
    path("conversations", ConversationList.as_view(), name="api_conversations"),
    path("conversations/<id:conversation_id>", ConversationDetail.as_view(), name="api_conversation"),
    path(
        "conversations/<id:conversation_id>/messages",
        ConversationMessages.as_view(),
        name="api_conversation_messages",
    ),
    path("messages/<id:message_id>/rating", AnswerRating.as_view(), name="api_answer_rating"),
    path("feedback", FeedbackIngest.as_view(), name="api_feedback"),
    path("otlp/v1/traces", Traces.as_view(), name="api_otlp_traces"),
    path("runs", RunList.as_view(), name="api_runs"),
    path("runs/<id:run_id>", RunDetail.as_view(), name="api_run"),
]
