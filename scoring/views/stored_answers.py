"""Scoring stored answers in the console: the dialog that reads a file, and the file to begin with."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from core.errors import Invalid, TooLarge
from core.ids import new_id
from core.limits import LIMITS
from core.pages import respond
from datasets.downloads import attachment
from datasets.forms.problems import problem_rows
from datasets.models import Dataset
from datasets.queries.seen_cases import SeenCase
from datasets.views.addresses import go_to, unkept
from scoring.forms.stored_answers import StoredAnswersForm
from scoring.jobs import enqueue_answer_set
from scoring.logic.answers import GradedAnswer
from scoring.logic.stored_matching import MatchedAnswers
from scoring.operations.answer_templates import answer_template
from scoring.operations.stored_answers import (
    read_answer_file,
    require_to_score,
    score_answers_once,
)
from scoring.queries.compared_sets import cases_of
from scoring.queries.settings import settings_of
from scoring.queries.unknown_measures import unknown_measures

PREVIEWED = 5


@dataclass(frozen=True)
class PreviewedAnswer:
    """One of the first answers of the file with its case."""

    case: SeenCase | None
    answer: GradedAnswer


@require_http_methods(["GET", "POST"])
def answer_set_new(request: Any, dataset_id: UUID) -> HttpResponse:
    """The dialog; a chosen file is shown as it was read before anything is stored."""
    dataset = require_to_score(request.actor, dataset_id)
    if request.method == "GET":
        return _dialog(request, dataset, {"once": new_id()})
    form = StoredAnswersForm(request.POST, actor=request.actor)
    if (file := request.FILES.get("file")) is None:
        return _dialog(request, dataset, {"refusal": _("Choose a file first.")}, status=422)
    if not form.is_valid():
        return _dialog(request, dataset, {"refusal": _first_error(form)}, status=422)
    data = file.read(LIMITS.import_bytes + 1)
    try:
        answers = read_answer_file(request.actor, dataset_id=dataset_id, name=file.name or "", data=data)
        if request.POST.get("step") != "score":
            return _dialog(request, dataset, _previewed(request.actor, dataset, answers))
        return _scored(request, dataset, form, answers, file.name or "")
    except Invalid as error:
        return _dialog(request, dataset, {"refusal": str(error), "problems": problem_rows(error)}, status=422)
    except TooLarge as error:
        return _dialog(request, dataset, {"refusal": str(error)}, status=413)


@require_safe
def answer_set_template(request: Any, dataset_id: UUID) -> HttpResponseBase:
    """A CSV with a row for each case, in which the answers are to be filled in."""
    return attachment(answer_template(request.actor, dataset_id=dataset_id))


def _scored(
    request: Any, dataset: Dataset, form: StoredAnswersForm, answers: MatchedAnswers, file_name: str
) -> HttpResponse:
    given: dict[str, Any] = {"dataset_id": dataset.pk, "label": form.label_for(file_name), "agent_id": form.agent_id}
    made, is_new = score_answers_once(request.actor, answers=answers, key=request.POST.get("once", ""), **given)
    if is_new:
        enqueue_answer_set(made)
        told = ngettext("%(count)d answer is being graded.", "%(count)d answers are being graded.", made.answer_count)
        messages.success(request, told % {"count": made.answer_count})
    return go_to(request, reverse("answer_set", args=[dataset.pk, made.pk]))


def _previewed(actor: Any, dataset: Dataset, answers: MatchedAnswers) -> dict[str, Any]:
    first = answers.kept[:PREVIEWED]
    cases = cases_of(actor, dataset, answers.version, [case_id for case_id, _answer in first])
    settings = settings_of(dataset).settings
    return {
        "answers": answers,
        "count": len(answers.kept),
        "first": [PreviewedAnswer(cases.get(case_id), answer) for case_id, answer in first],
        "more": max(0, len(answers.kept) - PREVIEWED),
        "unknown": unknown_measures(dataset, settings, answers),
        "asks_judge": settings.asks_judge,
        "lacks_model": settings.lacks_model,
    }


def _first_error(form: StoredAnswersForm) -> str:
    name, errors = next(iter(form.errors.items()))
    return f"{form.fields[name].label}: {errors[0]}"


def _dialog(request: Any, dataset: Dataset, context: dict[str, Any], status: int = 200) -> HttpResponse:
    part = "dialog" if request.method == "GET" else "outcome"
    form = StoredAnswersForm(request.POST if request.method == "POST" else None, actor=request.actor)
    context = {"dataset": dataset, "form": form, **context}
    return unkept(respond(request, "scoring/stored/new.html", context, part=part, status=status))
