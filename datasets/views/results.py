"""The results of a dataset: test runs and the review of answers, or what is needed before there are some (DS-10)."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _

from core.pages import respond
from datasets.forms.table_state import TableState
from datasets.places import Area, Place, acts_at
from datasets.queries.running import offer_to_run
from datasets.queries.steps import steps_of
from datasets.views.case_table import Shown
from datasets.views.page_context import page_context, part_context

OWN_PARTS = [("runs", _("Test runs")), ("review", _("Review answers"))]


def results_page(request: Any, shown: Shown, state: TableState) -> HttpResponse:
    """The part of the address; what no app fills yet teaches what belongs there."""
    context = page_context(request.actor, shown, "results")
    context |= part_context(request.actor, shown, Area.RESULTS, OWN_PARTS, state.part)
    context["steps"] = {step.name: step for step in steps_of(request.actor, shown.dataset)}
    context["running"] = offer_to_run(request.actor, shown.dataset)
    context["runs_acts"] = acts_at(Place.RUNS, request.actor, shown.dataset)
    return respond(request, "datasets/results.html", context, part="area")
