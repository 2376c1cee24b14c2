"""What operators see of the review queue: read-only, without texts."""

from django.contrib import admin

from core.operators import ReadOnlyAdmin
from review.models import Stay


@admin.register(Stay)
class StayAdmin(ReadOnlyAdmin):
    """Which scores wait or waited."""

    list_display = ("id", "dataset", "score", "entry", "entered_at", "leaving", "left_at")
    fields = list_display
    list_filter = ("entry", "leaving")
    list_select_related = ("dataset", "score")
    show_full_result_count = False
