"""What operators see of scores and settings: read-only, without answers, reasons, quotes or criteria (SC-D62)."""

from django.contrib import admin

from core.operators import ReadOnlyAdmin
from scoring.models import AnswerSet, GradingSettings, Score, ScoreAttempt


@admin.register(Score)
class ScoreAdmin(ReadOnlyAdmin):
    """Where a score came from and what its outcome is."""

    list_display = ("id", "dataset", "origin", "state", "outcome", "judge_trouble", "created_at", "graded_at")
    fields = (
        "organisation",
        "dataset",
        "case",
        "version",
        "origin",
        "agent",
        "state",
        "outcome",
        "number",
        "judge_trouble",
        "pin_hash",
        "judge_cost",
        "cost",
        "seconds",
        "model",
        "answer_cut",
        "answer_removed_at",
        "created_at",
        "graded_at",
        "claims",
    )
    list_filter = ("state", "outcome", "origin", "judge_trouble")
    list_select_related = ("dataset",)
    search_fields = ("id", "dataset__id")
    show_full_result_count = False


@admin.register(ScoreAttempt)
class ScoreAttemptAdmin(ReadOnlyAdmin):
    """Earlier tries at grading."""

    list_display = ("score", "number", "judge_cost", "graded_at", "replaced_at")
    fields = list_display
    list_select_related = ("score",)
    search_fields = ("score__id",)
    show_full_result_count = False


@admin.register(GradingSettings)
class GradingSettingsAdmin(ReadOnlyAdmin):
    """How a dataset is graded; changed in the product alone, whose checks and log apply."""

    list_display = ("dataset", "revision", "changed_at", "changed_by")
    fields = (*list_display, "settings")
    list_select_related = ("dataset", "changed_by__user")
    search_fields = ("dataset__id",)


@admin.register(AnswerSet)
class AnswerSetAdmin(ReadOnlyAdmin):
    """Answers that somebody brought along."""

    list_display = ("id", "dataset", "version", "answer_count", "created_at")
    fields = list_display
    list_select_related = ("dataset",)
    search_fields = ("id", "dataset__id")
