"""The page of one dataset with its three areas (DS-7), and its cases (DS-9 to DS-18, DS-58 to DS-63)."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from core.pages import respond
from datasets.forms.table_state import TableState
from datasets.places import Area
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import unkept, wants_panel
from datasets.views.case_table import Shown, case_panel, case_table, shown_version
from datasets.views.dataset_settings import settings_page
from datasets.views.page_context import page_context, part_context, steps_context
from datasets.views.results import results_page

OWN_PARTS = [("cases", _("Written cases"))]  # shown as a part only beside the proposals of an app
AREAS = {"results": results_page, "settings": settings_page}


@require_safe
def dataset(request: Any, dataset_id: UUID) -> HttpResponse:
    """The area of the address; results and settings belong to the dataset and not to one of its versions."""
    state = TableState.of(request.GET)
    area = AREAS.get(state.tab)
    found = find_dataset(request.actor, dataset_id)
    if area is not None:
        return area(request, shown_version(request.actor, found, replace(state, version=None)), state)
    return unkept(_cases(request, shown_version(request.actor, found, state), state))


def _cases(request: Any, shown: Shown, state: TableState) -> HttpResponse:
    """The cases; the table alone for a filter, the panel alone for a row."""
    context = {"dataset": shown.dataset, "shown": shown, "state": state, "tab": "cases"}
    if wants_panel(request):
        panel = context | case_panel(request.actor, shown, state)
        return render(request, "datasets/case_panel.html", panel)
    context |= page_context(request.actor, shown, "cases") | steps_context(request.actor, shown)
    context |= part_context(request.actor, shown, Area.CASES, OWN_PARTS, state.part)
    context |= case_table(request.actor, shown, state) | case_panel(request.actor, shown, state)
    context["offer_tour"] = request.GET.get("tour") == "offered" and not request.user.tour
    return respond(request, "datasets/cases.html", context, part="table")
