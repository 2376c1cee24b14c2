"""Sending chosen answers to review, from a test run or the table, and taking them out (EV-45, RV-9, RV-33)."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import ngettext_lazy
from django.views.decorators.http import require_POST

from accounts.permissions import Permission
from core.errors import Invalid
from core.pages import Event, announce
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import id_or_none
from evals.queries.evals import find_eval
from evals.views.run_addresses import eval_address
from review.forms.review_table import ReviewState
from review.logic.queue import Sending
from review.operations.sending import Moved, Withdrawing, send_to_review, withdraw_from_review
from review.views.chosen import chosen_of
from review.views.table import list_after
from scoring.views.addresses import review_address

WORDS = {
    Sending.WAITING: ngettext_lazy(
        "%(count)d answer waits for review now.", "%(count)d answers wait for review now.", "count"
    ),
    Sending.ALREADY_WAITING: ngettext_lazy("%(count)d waited already.", "%(count)d waited already.", "count"),
    Sending.OUTRANKED: ngettext_lazy(
        "%(count)d did not get the place: a graded or newer answer of its case and agent waits.",
        "%(count)d did not get the place: a graded or newer answer of their case and agent waits.",
        "count",
    ),
    Sending.ALREADY_DECIDED: ngettext_lazy("%(count)d is decided already.", "%(count)d are decided already.", "count"),
}


TAKEN_OUT = {
    Withdrawing.WITHDRAWN: ngettext_lazy(
        "%(count)d answer was taken out of review.", "%(count)d answers were taken out of review.", "count"
    ),
    Withdrawing.NOT_WAITING: ngettext_lazy("%(count)d was not waiting.", "%(count)d were not waiting.", "count"),
    Withdrawing.ALREADY_DECIDED: WORDS[Sending.ALREADY_DECIDED],
}
Act = Callable[[Any, Dataset, list[UUID | None]], str]


@require_POST
def send(request: Any, dataset_id: UUID) -> HttpResponse:
    """Send the chosen answers, all or none; a message says what became of them."""
    return _moved(request, dataset_id, _send)


@require_POST
def withdraw(request: Any, dataset_id: UUID) -> HttpResponse:
    """Take the chosen answers out of review, all or none; a message says what became of them (RV-9)."""
    return _moved(request, dataset_id, _withdraw)


def _moved(request: Any, dataset_id: UUID, act: Act) -> HttpResponse:
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    state = ReviewState.of(request.GET)
    try:
        text, kind = act(request.actor, dataset, chosen_of(request, dataset, state)), "pass"
    except Invalid as refusal:
        text, kind = " ".join(dict.fromkeys(problem.message for problem in refusal.problems)), "fail"
    if request.headers.get("HX-Target") == "review-list":
        return list_after(request, dataset, state, text, kind)
    if request.headers.get("HX-Request") == "true":
        return announce(HttpResponse(status=204), Event.MESSAGE_SHOWN, {"text": text, "kind": kind})
    (messages.success if kind == "pass" else messages.error)(request, text)
    return redirect(_back(request, dataset.pk, state))


def _send(actor: Any, dataset: Dataset, chosen: list[UUID | None]) -> str:
    return in_words(send_to_review(actor, dataset_id=dataset.pk, score_ids=chosen))


def _withdraw(actor: Any, dataset: Dataset, chosen: list[UUID | None]) -> str:
    return in_words(withdraw_from_review(actor, dataset_id=dataset.pk, score_ids=chosen), TAKEN_OUT)


def in_words(moved: list[Moved], words: Mapping[Any, Any] = WORDS) -> str:
    """What became of the answers, each kind once."""
    counts = Counter(one.result for one in moved)
    return " ".join(str(told % {"count": counts[result]}) for result, told in words.items() if counts[result])


def _back(request: Any, dataset_id: UUID, state: ReviewState) -> str:
    """The test run that they were chosen on, else the review of the dataset's answers."""
    run_id = id_or_none(request.POST.get("run"))
    return eval_address(find_eval(request.actor, run_id).pk) if run_id else review_address(dataset_id, state.list_query)
