"""One graded answer: the side panel beside the table, or a page (RV-12 to RV-26)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.pages import respond
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept, wants_panel
from review.forms.review_table import ReviewState
from scoring.queries.readable_scores import readable_score
from scoring.queries.scores import find_score
from scoring.views.addresses import review_address
from scoring.views.score_context import mask_mark, score_context


@require_safe
def score(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """One score: the panel beside the table, its body alone while it is waited for, or a page."""
    dataset = find_dataset(request.actor, dataset_id)
    state = ReviewState.of(request.GET)
    context = score_context(request, dataset, score_id)
    context |= {"close_href": review_address(dataset.pk, state.list_query), "panel_row": score_id}
    if wants_panel(request):
        return unkept(render(request, "review/panel.html", context))
    return unkept(respond(request, "review/score.html", context, part="body"))


@require_safe
def score_mask(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """204 while the mark of the panel holds, 200 where it does not; 404 where it may not be known any more."""
    dataset = find_dataset(request.actor, dataset_id)
    shown = readable_score(request.actor, find_score(dataset, score_id))
    return unkept(HttpResponse(status=204 if request.GET.get("mark") == mask_mark(shown) else 200))
