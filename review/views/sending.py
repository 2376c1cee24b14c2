"""Sending chosen answers of a test run to review (EV-45, RV-33)."""

from collections import Counter
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
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import id_or_none
from evals.queries.evals import find_eval
from evals.views.run_addresses import eval_address
from review.logic.queue import Sending
from review.operations.sending import Moved, send_to_review
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


@require_POST
def send(request: Any, dataset_id: UUID) -> HttpResponse:
    """Send the chosen answers, all or none; a message says what became of them."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    text, kind = _sent(request, dataset.pk)
    if request.headers.get("HX-Request") == "true":
        return announce(HttpResponse(status=204), Event.MESSAGE_SHOWN, {"text": text, "kind": kind})
    (messages.success if kind == "pass" else messages.error)(request, text)
    return redirect(_back(request, dataset.pk))


def _sent(request: Any, dataset_id: UUID) -> tuple[str, str]:
    """What became of the chosen answers, or why none was sent; and which kind of message that is."""
    chosen = [id_or_none(sent) for sent in request.POST.getlist("chosen")]
    try:
        return in_words(send_to_review(request.actor, dataset_id=dataset_id, score_ids=chosen)), "pass"
    except Invalid as refusal:
        return " ".join(dict.fromkeys(problem.message for problem in refusal.problems)), "fail"


def in_words(moved: list[Moved]) -> str:
    """What became of the answers, each kind once."""
    counts = Counter(one.result for one in moved)
    return " ".join(str(WORDS[result] % {"count": counts[result]}) for result in Sending if counts[result])


def _back(request: Any, dataset_id: UUID) -> str:
    """The test run that they were chosen on, else the review of the dataset's answers."""
    run_id = id_or_none(request.POST.get("run"))
    return eval_address(find_eval(request.actor, run_id).pk) if run_id else review_address(dataset_id)
