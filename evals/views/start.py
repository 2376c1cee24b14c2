"""Starting a test run in the console: the dialog, its estimate, the cases to pick (EV-1, EV-2, EV-17, EV-D1).

A page that opens the dialog loads `js/evals/estimate.js`: a choice that changes discards the estimate on the screen.
"""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from core.errors import Conflict, DomainError, Invalid, status_of
from core.ids import new_id
from core.pages import respond
from datasets.models import Dataset
from datasets.views.addresses import go_to, page_address, unkept
from evals.forms.start import CHOSEN, StartForm
from evals.logic.choices import EvalChoices
from evals.operations.start import start_eval
from evals.queries.estimates import Estimate, estimate_eval
from evals.queries.plans import choices_of, dataset_to_run
from evals.views.run_list_addresses import RUNS
from evals.views.start_context import (
    asks_unscored,
    case_picker,
    mark_of,
    problems_of,
    start_form,
    version_shown,
)
from scoring.views.addresses import GRADING


@require_http_methods(["GET", "POST"])
def start(request: Any, dataset_id: UUID) -> HttpResponse:
    """The dialog; sent, it starts what was estimated, once for one key (EV-D7), and goes to the run."""
    dataset = dataset_to_run(request.actor, dataset_id)
    if request.method == "GET":
        return _shown(request, dataset, start_form(request.actor, dataset, query=request.GET), part="dialog")
    form = start_form(request.actor, dataset, data=request.POST)
    if form.lacks():
        return _shown(request, dataset, form, status=422)
    try:
        choices = _choices(request, dataset, form)
        if request.POST.get("estimated") != mark_of(choices):
            return _estimated(request, dataset, form)
        run = start_eval(
            request.actor, dataset_id=dataset.pk, choices=choices, idempotency_key=request.POST.get("once") or None
        )
    except (Invalid, Conflict) as refusal:
        return _shown(request, dataset, form, refusal=refusal)
    return go_to(request, reverse("eval", args=[run.pk]))


@require_POST
def estimate(request: Any, dataset_id: UUID) -> HttpResponse:
    """What the choices on the screen would cost; spends nothing."""
    dataset = dataset_to_run(request.actor, dataset_id)
    return _estimated(request, dataset, start_form(request.actor, dataset, data=request.POST))


@require_POST
def cases(request: Any, dataset_id: UUID) -> HttpResponse:
    """The picked cases, and those whose question holds the search."""
    dataset = dataset_to_run(request.actor, dataset_id)
    search, picked = request.POST.get("q", ""), request.POST.getlist("case_ids")
    number = version_shown(dataset, request.POST)
    picker = case_picker(request.actor, dataset, number, search=search, picked=picked)
    return unkept(render(request, "evals/start/_picker.html", {"dataset": dataset, "picker": picker}))


def _choices(request: Any, dataset: Dataset, form: StartForm) -> EvalChoices:
    return choices_of(request.actor, dataset_id=dataset.pk, raw=form.body())


def _estimated(request: Any, dataset: Dataset, form: StartForm) -> HttpResponse:
    """The estimate, with which it can be started, what is still to be chosen, or why these choices cannot be."""
    if form.lacks():
        return _shown(request, dataset, form)
    try:
        choices = _choices(request, dataset, form)
        found = estimate_eval(request.actor, dataset_id=dataset.pk, choices=choices)
    except (Invalid, Conflict) as refusal:
        return _shown(request, dataset, form, refusal=refusal)
    return _shown(request, dataset, form, estimate=found, mark=mark_of(choices))


def _shown(
    request: Any,
    dataset: Dataset,
    form: StartForm,
    *,
    part: str = "answer",
    estimate: Estimate | None = None,
    refusal: DomainError | None = None,
    mark: str = "",
    status: int = 200,
) -> HttpResponse:
    context = {
        "dataset": dataset,
        "form": form,
        "once": request.POST.get("once") or new_id(),
        "estimate": estimate,
        "mark": mark,
        "lacks": form.lacks(),
        "refusal": refusal,
        "problems": problems_of(form, refusal),
        "asks_unscored": asks_unscored(form, refusal),
        "picks_cases": form.way == CHOSEN,
        "other_agent": request.POST.get("for_agent", "") != request.POST.get("agent", ""),
        "other_version": request.POST.get("for_version", "") != request.POST.get("dataset_version", ""),
        "back": page_address(dataset.pk, **RUNS),
        "grading": page_address(dataset.pk, **GRADING),
    }
    status = status_of(refusal) if refusal else status
    return unkept(respond(request, "evals/start.html", context, part=part, status=status))
