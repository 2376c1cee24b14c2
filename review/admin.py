"""What operators see of review: who waits, what was decided, which criteria came of it; read-only, without texts."""

from django.contrib import admin

from core.operators import ReadOnlyAdmin
from review.models import Decision, MadeCriterion, Stay


@admin.register(Stay)
class StayAdmin(ReadOnlyAdmin):
    """Which scores wait or waited."""

    list_display = ("id", "dataset", "score", "entry", "entered_at", "leaving", "left_at")
    fields = list_display
    list_filter = ("entry", "leaving")
    list_select_related = ("dataset", "score")
    show_full_result_count = False


@admin.register(Decision)
class DecisionAdmin(ReadOnlyAdmin):
    """What people ruled, act by act; an empty decision took the one before it back."""

    list_display = ("id", "score", "number", "ruling", "automatic", "at")
    fields = list_display
    list_filter = ("ruling", "automatic")
    show_full_result_count = False


@admin.register(MadeCriterion)
class MadeCriterionAdmin(ReadOnlyAdmin):
    """Which scores brought a criterion."""

    list_display = ("id", "score", "scope", "version", "at")
    fields = list_display
    list_filter = ("scope",)
    show_full_result_count = False
