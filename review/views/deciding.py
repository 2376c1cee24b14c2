"""Deciding on the answer of a card, taking the decision back, and its place in the queue (RV-53 to RV-59, RV-D31)."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from core.errors import Conflict, DomainError, Invalid, NotAllowed, status_of
from core.pages import Event, announce
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept, wants_panel
from review.forms.deciding import SentDecision
from review.forms.review_table import ReviewState
from review.logic.queue import Sending
from review.models import Ruling
from review.operations.deciding import Decided, Withdrawn, decide, withdraw_decision
from review.operations.sending import send_to_review, withdraw_from_review
from review.views.card_context import changed_context
from review.views.sending import in_words
from scoring.queries.mask_marks import mask_mark
from scoring.queries.readable_scores import readable_score
from scoring.queries.scores import find_score
from scoring.views.addresses import review_address


@dataclass(frozen=True)
class Told:
    """What a message says after an act; a decision that can be undone names its revision."""

    text: str
    undo: int | None = None


@require_POST
def score_decision(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """Decide, and show the card and its row with the decision; the message offers to undo it (RV-13, RV-14, RV-56)."""
    dataset = find_dataset(request.actor, dataset_id)
    sent = SentDecision.of(request.POST)
    try:
        decided = decide(
            request.actor,
            dataset_id=dataset.pk,
            score_id=score_id,
            decision=sent.decision,
            note=sent.note,
            revision=sent.revision,
            mark=sent.mark,
        )
    except (Conflict, Invalid, NotAllowed) as refusal:
        return _refused(request, dataset, score_id, sent, refusal)
    return _done(request, dataset, score_id, sent, _told_of(decided))


@require_POST
def score_decision_withdraw(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """Take the decision back; an undo brings its note into the editor again (RV-57, RV-D31)."""
    dataset = find_dataset(request.actor, dataset_id)
    sent = SentDecision.of(request.POST)
    try:
        withdrawn = withdraw_decision(
            request.actor, dataset_id=dataset.pk, score_id=score_id, revision=sent.revision, mark=sent.mark
        )
    except (Conflict, NotAllowed) as refusal:
        return _refused(request, dataset, score_id, sent, refusal)
    note = withdrawn.note if sent.is_undo else ""
    return _done(request, dataset, score_id, sent, Told(_words_of(withdrawn)), note=note or None)


@require_POST
def score_queue(request: Any, dataset_id: UUID, score_id: UUID) -> HttpResponse:
    """Send the answer of the card to review, or take it out (RV-27, RV-52)."""
    dataset = find_dataset(request.actor, dataset_id)
    sent = SentDecision.of(request.POST)
    act = withdraw_from_review if "out" in request.POST else send_to_review
    try:
        moved = act(request.actor, dataset_id=dataset.pk, score_ids=[score_id])
    except (Invalid, NotAllowed) as refusal:
        return _refused(request, dataset, score_id, sent, refusal)
    return _done(request, dataset, score_id, sent, Told(in_words(moved)))


def _told_of(decided: Decided) -> Told:
    words = _("Decided: %(ruling)s.") % {"ruling": Ruling(decided.score.decided).label}
    if decided.hidden:
        hidden = ngettext(
            "%(count)d credential in the note was hidden.",
            "%(count)d credentials in the note were hidden.",
            decided.hidden,
        )
        words = f"{words} {hidden % {'count': decided.hidden}}"
    return Told(words, undo=decided.revision)


def _words_of(withdrawn: Withdrawn) -> str:
    if withdrawn.sending is Sending.OUTRANKED:
        return _("The decision was withdrawn. Another answer to this case waits in its place, so this one does not.")
    return _("The decision was withdrawn. The answer waits for review again.")


def _done(
    request: Any, dataset: Dataset, score_id: UUID, sent: SentDecision, told: Told, *, note: str | None = None
) -> HttpResponse:
    """The changed parts of card and table, or the whole panel where it shows another answer; else the page again."""
    if request.headers.get("HX-Request") != "true":
        messages.success(request, told.text)
        return _back(request, dataset, score_id)
    context = changed_context(request, dataset, score_id, in_panel=sent.in_panel, note=note) | {"told": told}
    response = unkept(render(request, _parts(request), context))
    if wants_panel(request):
        response["HX-Push-Url"] = review_address(dataset.pk, ReviewState.of(request.GET).list_query, score=score_id)
    if told.undo is None:
        announce(response, Event.MESSAGE_SHOWN, {"text": told.text, "kind": "pass"})
    return response


def _refused(request: Any, dataset: Dataset, score_id: UUID, sent: SentDecision, refusal: DomainError) -> HttpResponse:
    """The card as it stands now with what was written, or, where it may not be read as before, its end (RV-D15)."""
    shown = readable_score(request.actor, find_score(dataset, score_id))
    if sent.mark not in (None, mask_mark(shown)):
        return _closed(request, dataset, score_id)
    if isinstance(refusal, NotAllowed):
        raise refusal
    if request.headers.get("HX-Request") != "true":
        messages.error(request, _why(refusal))
        return _back(request, dataset, score_id)
    given = {"in_panel": sent.in_panel, "note": sent.note or None, "trouble": _why(refusal)}
    context = changed_context(request, dataset, score_id, **given)
    return unkept(render(request, _parts(request), context, status=status_of(refusal)))


def _closed(request: Any, dataset: Dataset, score_id: UUID) -> HttpResponse:
    """409: the card closes and what was written is dropped, since it may quote what is hidden now (RV-16)."""
    if request.headers.get("HX-Request") != "true":
        messages.error(request, _("What you may read of this answer has changed. Nothing was saved."))
        return _back(request, dataset, score_id)
    response = unkept(HttpResponse(status=409))
    response["HX-Reswap"] = "none"
    return announce(response, Event.MASK_CHANGED)


def _parts(request: Any) -> str:
    return "review/panel_again.html" if wants_panel(request) else "review/_decided.html"


def _back(request: Any, dataset: Dataset, score_id: UUID) -> HttpResponse:
    return redirect(f"{reverse('score', args=[dataset.pk, score_id])}?{ReviewState.of(request.GET).list_query}")


def _why(refusal: DomainError) -> str:
    return " ".join(one.message for one in refusal.problems) if isinstance(refusal, Invalid) else str(refusal)
