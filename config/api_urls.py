"""The addresses under /api/v1, app by app, and the schema with its browsable docs (PL-40)."""

from django.urls import include, path

urlpatterns = [
    path("", include("core.api.urls")),
    path("", include("accounts.api.urls")),
    path("", include("agents.api.urls")),
    path("", include("activity.api.urls")),
    path("", include("datasets.api.urls")),
    # Before scoring, which would take "review" for the id of a score that is not there.
    path("", include("review.api.urls")),
    path("", include("scoring.api.urls")),
    path("", include("evals.api.urls")),
]
