"""The answers that the table shows as a file (RV-D44)."""

from typing import Any
from uuid import UUID

from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from datasets.downloads import attachment
from review.forms.review_table import ReviewState
from review.operations.exporting import export_scores


@require_safe
def scores_export(request: Any, dataset_id: UUID) -> HttpResponseBase:
    """Every answer that matches, in the order of the table."""
    state = ReviewState.of(request.GET)
    wanted, file_format = state.filter, request.GET.get("format", "csv")
    file = export_scores(request.actor, dataset_id=dataset_id, file_format=file_format, wanted=wanted, sort=state.sort)
    return attachment(file)
