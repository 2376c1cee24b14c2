"""What operators see of test runs: read-only, without texts (EV-D67)."""

from django.contrib import admin

from core.operators import ReadOnlyAdmin
from evals.models import EvalRun


@admin.register(EvalRun)
class EvalRunAdmin(ReadOnlyAdmin):
    """How far each run is."""

    list_display = ("id", "organisation", "dataset", "number", "state", "created_at", "finished_at")
    fields = list_display
    list_filter = ("state",)
    list_select_related = ("organisation", "dataset")
    show_full_result_count = False
