"""What operators see of scores and settings: read-only, without answers, reasons or quotes (SC-D62)."""

from django.contrib import admin

from core.operators import ReadOnlyAdmin
from scoring.models import Score


@admin.register(Score)
class ScoreAdmin(ReadOnlyAdmin):
    """Where a score came from and what its outcome is."""

    list_display = ("id", "dataset", "origin", "state", "outcome", "created_at")
    fields = ("organisation", "dataset", "origin", "state", "outcome", "created_at", "graded_at")
    list_select_related = ("dataset",)
    show_full_result_count = False
