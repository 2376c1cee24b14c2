"""One graded answer: the side panel beside the table, or a page; and whether it may still be read (RV-12 to RV-26)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from activity.forms.run_list import id_of
from core.pages import Event, announce, respond
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept, wants_panel
from review.forms.review_table import ReviewState
from review.operations.onlookers import look_at
from review.queries.next_waiting import next_waiting
from review.queries.rows import review_rows
from review.views.card_context import opened_context
from scoring.queries.mask_marks import mask_mark, mask_mark_of_rows
from scoring.queries.readable_scores import readable_score
from scoring.queries.scores import ScoreFilter, find_score, scores_of
from scoring.views.addresses import review_address

# "Reset content": what is on screen may no longer be as it was shown.
RESET = 205


@require_safe
def score(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """One score: the panel beside the table, its body alone while it is waited for, or a page."""
    return _card(request, find_dataset(request.actor, dataset_id), score_id)


def _card(request: Any, dataset: Dataset, score_id: UUID) -> HttpResponse:
    in_panel = wants_panel(request)
    context = opened_context(request, dataset, score_id, in_panel=in_panel)
    if in_panel:
        return unkept(render(request, "review/panel.html", context))
    return unkept(respond(request, "review/score.html", context, part="body"))


@require_safe
def score_next(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """The next answer that waits for review: in the panel, with its address, or its page (RV-D10)."""
    dataset, state = find_dataset(request.actor, dataset_id), ReviewState.of(request.GET)
    find_score(dataset, score_id)
    found = next_waiting(
        request.actor, dataset, state.filter, score_id=score_id, is_waiting_first=state.is_waiting_first
    )
    if not wants_panel(request):
        if found is None:
            messages.info(request, _("Nothing else is waiting for review here."))
        return redirect(f"{reverse('score', args=[dataset.pk, found or score_id])}?{state.list_query}")
    if found is None:
        told = {"text": _("Nothing else is waiting for review here."), "kind": "info"}
        return announce(HttpResponse(status=204), Event.MESSAGE_SHOWN, told)
    response = _card(request, dataset, found)
    response["HX-Push-Url"] = review_address(dataset.pk, state.list_query, score=found)
    return response


@require_safe
def score_mask(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """204 while the mark of what may be read holds, 205 where it does not, 404 where the score may not be known.

    The card of the review asks who else has it open too: names in place of 204 (RV-D35).
    """
    dataset = find_dataset(request.actor, dataset_id)
    shown = readable_score(request.actor, find_score(dataset, score_id))
    if request.GET.get("mark") != mask_mark(shown):
        return unkept(HttpResponse(status=RESET))
    is_card = "card" in request.GET
    onlookers = look_at(request.actor, dataset_id=dataset.pk, score_id=score_id) if is_card else []
    if not onlookers:
        return unkept(HttpResponse(status=204))
    return unkept(render(request, "review/_onlookers.html", {"onlookers": onlookers}))


@require_safe
def review_mask(request: Any, dataset_id: UUID) -> HttpResponse:
    """204 while what may be read of these rows of the table stays as it was, 205 where it has changed (RV-D15)."""
    dataset = find_dataset(request.actor, dataset_id)
    keys = [key for key in map(id_of, request.GET.getlist("score")[:200]) if key]
    rows = review_rows(request.actor, list(scores_of(request.actor, dataset, ScoreFilter()).filter(pk__in=keys)))
    return unkept(HttpResponse(status=204 if request.GET.get("mark") == mask_mark_of_rows(rows) else RESET))
