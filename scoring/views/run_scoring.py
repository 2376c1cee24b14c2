"""Scoring a run against a case, from its menu in Activity (SC-154 to SC-165)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from activity.queries.runs import find_run
from core.errors import Conflict, DomainError, Invalid, status_of
from core.jobs import enqueue
from core.pages import Event, announce
from datasets.forms.answer import AnswerForm
from datasets.forms.problems import show_problems
from datasets.models import Dataset
from datasets.operations.answers import AddedAnswer, add_case_from_answer
from datasets.views.addresses import unkept
from datasets.views.answers import in_words
from scoring.forms.run_scoring import ADD, DialogState
from scoring.jobs import grade_score_job
from scoring.operations.scores import score_run
from scoring.queries.run_scoring import run_to_score
from scoring.views.addresses import review_address
from scoring.views.run_dialog import Dialog, answer_form, dialog_context, dialog_of, is_unwarned_copy
from scoring.views.score_context import score_context


@require_http_methods(["GET", "POST"])
def run_score(request: Any, run_id: UUID) -> HttpResponse:
    """The dialog; a POST scores the run against the chosen case, or first adds its answer as one."""
    to_score = run_to_score(request.actor, find_run(request.actor, run_id))
    sent = request.POST if request.method == "POST" else request.GET
    dialog = dialog_of(request, to_score, DialogState.of(sent))
    if request.method == "GET" or to_score.why_not or dialog.target is None:
        return _shown(dialog, status=200 if request.method == "GET" else 422)
    return _add(dialog) if dialog.state.act == ADD else _score(dialog)


def _score(dialog: Dialog) -> HttpResponse:
    request, case_id = dialog.request, dialog.state.case_id
    if dialog.target is None or case_id is None:
        return _shown(dialog, status=422, refusal=Invalid([], _("Choose a case first.")))
    try:
        score = score_run(
            request.actor, dataset_id=dialog.target.dataset.pk, run_id=dialog.to_score.run.pk, case_id=case_id
        )
    except (Invalid, Conflict) as refusal:
        return _shown(dialog, status=status_of(refusal), refusal=refusal)
    enqueue(grade_score_job, score_id=score.pk)
    return _scored(request, dialog.target.dataset, score.pk)


def _scored(request: Any, dataset: Dataset, score_id: UUID) -> HttpResponse:
    """The score in the dialog, which waits for its grading; without htmx its page."""
    if request.headers.get("HX-Request") != "true":
        return redirect("score", dataset.pk, score_id)
    context = score_context(request, dataset, score_id) | {"results_href": review_address(dataset.pk, score=score_id)}
    return unkept(render(request, "scoring/run/scored.html", context))


def _add(dialog: Dialog) -> HttpResponse:
    """Add the answer as a case, and show the dialog again with that case chosen (SC-157, SC-159)."""
    request, copied, target = dialog.request, dialog.to_score.copied, dialog.target
    if copied is None or target is None:
        return _shown(dialog, status=422)
    form = answer_form(dialog, copied, target.dataset, request.POST)
    if not form.is_valid():
        return _shown(dialog, status=422, form=form)
    if is_unwarned_copy(dialog, copied, form):
        again = answer_form(dialog, copied, target.dataset, request.POST, warned=True)
        return _shown(dialog, status=409, form=again)
    try:
        added = add_case_from_answer(
            request.actor, dataset_id=target.dataset.pk, message_id=copied.message.pk, **form.wanted
        )
    except Invalid as error:
        show_problems(form, error)
        return _shown(dialog, status=422, form=form)
    except Conflict as refusal:
        return _shown(dialog, status=409, refusal=refusal)
    return _added(dialog, added)


def _added(dialog: Dialog, added: AddedAnswer) -> HttpResponse:
    """The dialog as it opens now: on the new case."""
    state = DialogState(added.dataset.pk, added.revision.case_id, "", 1, ADD)
    found = dialog_of(dialog.request, dialog.to_score, state)
    return announce(_shown(found), Event.MESSAGE_SHOWN, {"text": in_words(added), "kind": "pass"})


def _shown(
    dialog: Dialog, *, status: int = 200, refusal: DomainError | None = None, form: AnswerForm | None = None
) -> HttpResponse:
    context = dialog_context(dialog, refusal, form)
    template = "scoring/run/dialog.html" if context["in_dialog"] else "scoring/run/page.html"
    return unkept(render(dialog.request, template, context, status=status))
