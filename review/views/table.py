"""Results → Review answers: the table of a dataset's graded answers, and whether rows are graded yet (RV-1 to RV-7)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.pages import respond
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept
from review.forms.review_table import ReviewState
from review.views.table_context import review_context, waiting_context
from scoring.views.addresses import review_address


@require_safe
def review_answers(request: Any, dataset_id: UUID) -> HttpResponse:
    """The table: a part of the dataset's page, which loads it, and for a filter again (RV-2 to RV-7)."""
    dataset = find_dataset(request.actor, dataset_id)
    state = ReviewState.of(request.GET)
    context = review_context(request, dataset, state)
    response = unkept(respond(request, "review/table.html", context, part="table"))
    if request.headers.get("HX-Target") == "review":
        response["HX-Push-Url"] = review_address(dataset.pk, state.list_query)
    return response


@require_safe
def scores_waiting(request: Any, dataset_id: UUID) -> HttpResponse:
    """The outcomes of rows that were not graded yet, each for its place in the table."""
    dataset = find_dataset(request.actor, dataset_id)
    context = waiting_context(request, dataset, request.GET.getlist("score"))
    return unkept(render(request, "review/_waiting.html", context))
