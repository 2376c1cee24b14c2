"""Sets of stored answers in the console: the list among the results, one set, and its deletion."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.permissions import Permission
from core.errors import Invalid
from core.pages import respond
from core.paging import Page, keyset_page
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.queries.running import offer_to_run
from datasets.views.addresses import go_to, page_address, unkept
from scoring.models import AnswerSet
from scoring.operations.stored_answers import delete_answer_set
from scoring.queries.answer_sets import (
    NEWEST_FIRST,
    answer_sets_of,
    find_answer_set,
    newest_sets,
    shown_set,
    shown_sets,
)
from scoring.views.addresses import review_address

LIST = {"tab": "results", "view": "stored"}


@require_safe
def answer_sets(request: Any, dataset_id: UUID) -> HttpResponse:
    """The part of the results that lists the sets; it asks for itself again while one of them is graded."""
    dataset = find_dataset(request.actor, dataset_id)
    page = _page(dataset, request.GET.get("after") or request.GET.get("before") or "")
    shown = shown_sets(request.actor, page.rows)
    context = {
        "dataset": dataset,
        "sets": shown,
        "page": page,
        "offer": offer_to_run(request.actor, dataset),
        "is_grading": any(not one.progress.is_done for one in shown),
        "back": page_address(dataset.pk, **LIST),
    }
    return unkept(respond(request, "scoring/stored/list.html", context, part="list"))


@require_safe
def answer_set(request: Any, dataset_id: UUID, answer_set_id: UUID) -> HttpResponse:
    """One set with its counts; the part is what it asks for again while it is graded."""
    dataset = find_dataset(request.actor, dataset_id)
    found = find_answer_set(dataset, answer_set_id)
    context = {
        "dataset": dataset,
        "shown": shown_set(request.actor, found),
        "others": [one for one in newest_sets(dataset) if one.pk != found.pk],
        "may_edit": access.may(request.actor, Permission.DATASETS_EDIT, dataset),
        "review": review_address(dataset.pk, answer_set=found.pk),
        "back": page_address(dataset.pk, **LIST),
    }
    return unkept(respond(request, "scoring/stored/set.html", context, part="progress"))


@require_http_methods(["GET", "POST"])
def answer_set_delete(request: Any, dataset_id: UUID, answer_set_id: UUID) -> HttpResponse:
    """Say in numbers what goes, then delete."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    found = find_answer_set(dataset, answer_set_id)
    if request.method == "POST":
        delete_answer_set(request.actor, dataset_id=dataset_id, answer_set_id=answer_set_id)
        messages.success(request, _("“%(name)s” is deleted.") % {"name": found.label})
        return go_to(request, page_address(dataset.pk, **LIST))
    context = {"dataset": dataset, "answer_set": found, "back": reverse("answer_set", args=[dataset.pk, found.pk])}
    return respond(request, "scoring/stored/delete.html", context, part="dialog")


def _page(dataset: Dataset, cursor: str) -> Page[AnswerSet]:
    """A cursor that somebody changed shows the newest."""
    rows = answer_sets_of(dataset)
    try:
        return keyset_page(rows, NEWEST_FIRST, cursor=cursor)
    except Invalid:
        return keyset_page(rows, NEWEST_FIRST)
