"""Results → Test runs: the list with its filters, the rows of runs at work, the trend (EV-1, EV-D2, EV-D38)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts import access
from accounts.permissions import Permission
from activity.forms.run_list import id_of
from core.limits import LIMITS
from core.pages import respond
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept
from evals.forms.run_list import RunListState
from evals.queries.run_agents import agents_of_runs
from evals.views.run_list_addresses import runs_address
from evals.views.run_list_context import list_context, live_context, trend_context


@require_safe
def evals(request: Any, dataset_id: UUID) -> HttpResponse:
    """The list: a part of the dataset's page, which loads it, and for a filter again."""
    dataset = _readable(request, dataset_id)
    state = RunListState.of(request.GET)
    if request.headers.get("HX-Target") == "eval-trend":
        context = trend_context(dataset, agents_of_runs(request.actor, dataset), state)
        return unkept(respond(request, "evals/runs.html", context, part="trend"))
    response = unkept(respond(request, "evals/runs.html", list_context(request, dataset, state), part="list"))
    if request.headers.get("HX-Target") == "eval-runs":
        response["HX-Push-Url"] = runs_address(dataset.pk, state.list_query)
    return response


@require_safe
def evals_live(request: Any, dataset_id: UUID) -> HttpResponse:
    """What became of runs that were at work, each part for its place in the table (EV-D18)."""
    dataset = _readable(request, dataset_id)
    asked = [key for key in map(id_of, request.GET.getlist("run")[: LIMITS.page_size_max]) if key]
    context = live_context(request.actor, dataset, asked, RunListState.of(request.GET))
    return unkept(render(request, "evals/runs/_live.html", context))


def _readable(request: Any, dataset_id: UUID) -> Dataset:
    """The dataset for who reads runs. Raises `NotFound`, then `NotAllowed` (EV-D4)."""
    dataset = find_dataset(request.actor, dataset_id)
    access.require(request.actor, Permission.RUNS_VIEW)
    return dataset
