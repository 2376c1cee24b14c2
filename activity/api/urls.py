"""The endpoints of activity under /api/v1."""

from django.urls import URLPattern, URLResolver, path

from activity.api.feedback import FeedbackIngest
from activity.api.runs import RunDetail, RunList

urlpatterns: list[URLPattern | URLResolver] = [
    path("feedback", FeedbackIngest.as_view(), name="api_feedback"),
    path("runs", RunList.as_view(), name="api_runs"),
    path("runs/<id:run_id>", RunDetail.as_view(), name="api_run"),
]
