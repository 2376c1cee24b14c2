"""Scoring unscored answers again: one from its panel, several from the table (SC-134, SC-D60)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from accounts.actor import Actor
from accounts.permissions import Permission
from activity.forms.run_list import id_of
from core.errors import Conflict, Invalid
from core.jobs import enqueue
from core.limits import LIMITS
from core.pages import Event, announce
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept
from review.forms.review_table import ReviewState
from review.views.chosen import chosen_of
from review.views.table import list_after
from scoring.jobs import grade_score_job
from scoring.operations.rescoring import score_again
from scoring.queries.scored_again import scorable_among, unscored_of_run
from scoring.views.addresses import review_address
from scoring.views.score_context import score_context


@dataclass(frozen=True)
class Again:
    """How many answers are graded again, how many had nothing to be graded or no judge for good, and why it stopped."""

    accepted: int
    unchanged: int
    refusal: Conflict | Invalid | None
    without_model: int = 0

    @property
    def words(self) -> str:
        told = []
        if self.accepted:
            words = ngettext("%(count)d answer is graded again.", "%(count)d answers are graded again.", self.accepted)
            told.append(words % {"count": self.accepted})
        if self.unchanged:
            words = ngettext(
                "%(count)d has every verdict already.", "%(count)d have every verdict already.", self.unchanged
            )
            told.append(words % {"count": self.unchanged})
        if self.without_model:
            words = ngettext(
                "%(count)d was graded with settings that name no model: score it anew.",
                "%(count)d were graded with settings that name no model: score them anew.",
                self.without_model,
            )
            told.append(words % {"count": self.without_model})
        if self.refusal:
            told.append(_("Stopped: %(why)s") % {"why": _why(self.refusal)})
        return " ".join(told)

    @property
    def kind(self) -> str:
        return "fail" if self.refusal else "pass"


@require_POST
def scores_again(request: Any, dataset_id: UUID) -> HttpResponse:
    """Grade the chosen unscored answers again; the panel or the table then shows that they wait."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_RUN)
    state = ReviewState.of(request.GET)
    again = _again(request, dataset, state)
    if request.headers.get("HX-Request") != "true":
        (messages.error if again.refusal else messages.success)(request, again.words)
        return redirect(review_address(dataset.pk, state.list_query))
    if "one" not in request.POST:
        return list_after(request, dataset, state, again.words, again.kind)
    context = score_context(request, dataset, id_of(request.POST.get("chosen")))
    response = render(request, "scoring/_score.html", context)
    return announce(unkept(response), Event.MESSAGE_SHOWN, {"text": again.words, "kind": again.kind})


def _again(request: Any, dataset: Dataset, state: ReviewState) -> Again:
    """The one of a panel, all unscored ones of the test run that the list is filtered by (EV-46), or the chosen ones.

    Of several, those that are not unscored stay as they are.
    """
    run_id = state.eval_run_id
    if "one" in request.POST:
        return _in_batches(request.actor, dataset.pk, [id_of(request.POST.get("chosen"))])
    if "of_run" in request.POST and run_id:
        found = unscored_of_run(request.actor, dataset, run_id)[: LIMITS.scores_again_at_once]
        return _in_batches(request.actor, dataset.pk, found)
    chosen = [key for key in chosen_of(request, dataset, state) if key][: LIMITS.scores_again_at_once]
    scorable = scorable_among(dataset, chosen)
    done = _in_batches(request.actor, dataset.pk, scorable.ids)
    left = len(chosen) - len(scorable.ids) - scorable.without_model
    return replace(done, unchanged=done.unchanged + left, without_model=scorable.without_model)


def _in_batches(actor: Actor, dataset_id: UUID, chosen: Sequence[UUID | None]) -> Again:
    """As many at a time as one request may name, one batch after the other, until the first refusal (SC-D60)."""
    accepted = unchanged = 0
    batch = LIMITS.scores_again_a_request
    for start in range(0, len(chosen), batch):
        try:
            done = score_again(actor, dataset_id=dataset_id, score_ids=chosen[start : start + batch])
        except (Conflict, Invalid) as refusal:
            return Again(accepted, unchanged, refusal)
        for score_id in done.accepted:
            enqueue(grade_score_job, score_id=score_id)
        accepted += len(done.accepted)
        unchanged += len(done.unchanged)
    return Again(accepted, unchanged, None)


def _why(refusal: Conflict | Invalid) -> str:
    return " ".join(problem.message for problem in refusal.problems) if isinstance(refusal, Invalid) else str(refusal)
