"""Results → Review answers: the table of a dataset's graded answers, and whether rows are graded yet (RV-1 to RV-7)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from core.limits import LIMITS
from core.pages import Event, announce, respond
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept
from review.forms.review_table import ReviewState
from review.queries.review_pages import count_matching
from review.views.filter_menus import menus_of
from review.views.table_context import review_context, waiting_context
from scoring.views.addresses import review_address


@require_safe
def review_answers(request: Any, dataset_id: UUID) -> HttpResponse:
    """The table: a part of the dataset's page, which loads it, and for a filter again (RV-2 to RV-7)."""
    dataset = find_dataset(request.actor, dataset_id)
    state = ReviewState.of(request.GET)
    context = review_context(request, dataset, state)
    response = unkept(respond(request, "review/table.html", context, part="table"))
    if request.headers.get("HX-Target") == "review-list":
        response["HX-Push-Url"] = review_address(dataset.pk, state.list_query)
    return response


@require_safe
def review_choices(request: Any, dataset_id: UUID) -> HttpResponse:
    """What the filters offer, for their places; asked for when somebody turns to them."""
    dataset = find_dataset(request.actor, dataset_id)
    menus = menus_of(request.actor, dataset, ReviewState.of(request.GET), whole=True)
    return unkept(render(request, "review/_choices.html", {"menus": menus}))


@require_safe
def review_matching(request: Any, dataset_id: UUID) -> HttpResponse:
    """The offer to choose all answers that match, with their number; the first of them where they are many (RV-D8)."""
    dataset = find_dataset(request.actor, dataset_id)
    most = LIMITS.scores_a_review_request
    found = count_matching(request.actor, dataset, ReviewState.of(request.GET).filter, most=most + 1)
    context = {"count": min(found, most), "is_cut": found > most, "until": timezone.now().isoformat()}
    return unkept(render(request, "review/_matching.html", context))


@require_safe
def scores_waiting(request: Any, dataset_id: UUID) -> HttpResponse:
    """The outcomes of rows that were not graded yet, each for its place in the table."""
    dataset = find_dataset(request.actor, dataset_id)
    context = waiting_context(request, dataset, request.GET.getlist("score"))
    return unkept(render(request, "review/_waiting.html", context))


def list_after(request: Any, dataset: Dataset, state: ReviewState, text: str, kind: str) -> HttpResponse:
    """The list as it is after an act above it, with what became of the chosen answers as a message."""
    response = render(request, "review/_list.html", review_context(request, dataset, state))
    return announce(unkept(response), Event.MESSAGE_SHOWN, {"text": text, "kind": kind})
