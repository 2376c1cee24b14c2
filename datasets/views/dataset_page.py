"""The page of one dataset: its cases and its settings (DS-7 to DS-18, DS-58 to DS-63)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.permissions import Permission
from accounts.queries.sharing import who_loses_access
from core.errors import Invalid
from core.pages import respond
from datasets.forms.dataset import DatasetForm, DeleteDatasetForm
from datasets.forms.problems import show_problems
from datasets.forms.table_state import TableState
from datasets.operations.datasets import change_details, delete_dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import go_to, page_address, unkept, wants_panel
from datasets.views.case_table import Shown, case_panel, case_table, shown_version, version_list


@require_safe
def dataset(request: Any, dataset_id: UUID) -> HttpResponse:
    """The tab of the address, the table alone for a filter, the panel alone for a row."""
    state = TableState.of(request.GET)
    shown = shown_version(request.actor, find_dataset(request.actor, dataset_id), state)
    if state.tab == "settings":
        return _settings(request, shown, DatasetForm.of(shown.dataset))
    context = {"dataset": shown.dataset, "shown": shown, "state": state, "tab": "cases"}
    if wants_panel(request):
        panel = context | case_panel(request.actor, shown, state)
        return unkept(render(request, "datasets/case_panel.html", panel))
    context |= case_table(request.actor, shown, state) | case_panel(request.actor, shown, state)
    context["versions"] = version_list(shown.dataset)
    return unkept(respond(request, "datasets/cases.html", context, part="table"))


@require_http_methods(["POST"])
def dataset_details(request: Any, dataset_id: UUID) -> HttpResponse:
    """Save name, description and visibility; no version (DS-61)."""
    found = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    form = DatasetForm.of(found, request.POST)
    if form.is_valid():
        try:
            change_details(request.actor, dataset_id=dataset_id, **form.cleaned_data)
        except Invalid as error:
            show_problems(form, error)
        else:
            messages.success(request, _("The details are saved."))
            return go_to(request, page_address(dataset_id, tab="settings"))
    return _settings(request, shown_version(request.actor, found, TableState.of(request.GET)), form, status=422)


@require_http_methods(["GET", "POST"])
def dataset_delete(request: Any, dataset_id: UUID) -> HttpResponse:
    """Say in numbers what goes, ask for the name, then delete (DS-D17)."""
    found = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    form = DeleteDatasetForm(request.POST or None, dataset=found)
    if request.method == "POST" and form.is_valid():
        delete_dataset(request.actor, dataset_id=dataset_id)
        messages.success(request, _("“%(name)s” is deleted.") % {"name": found.name})
        return go_to(request, reverse("dataset_list"))
    context = {"dataset": found, "form": form}
    return respond(request, "datasets/delete.html", context, part="dialog", status=422 if form.is_bound else 200)


def _settings(request: Any, shown: Shown, form: DatasetForm, status: int = 200) -> HttpResponse:
    found = shown.dataset
    losing = who_loses_access(found) if shown.may_edit and found.visibility == "organisation" else []
    context = {
        "dataset": found,
        "shown": shown,
        "tab": "settings",
        "form": form,
        "losing": losing,
        "versions": version_list(found),
    }
    return respond(request, "datasets/settings.html", context, part="details", status=status)
