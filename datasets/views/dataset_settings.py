"""The settings of a dataset: its details, the parts that other areas of Casebook add, its deletion (DS-11, DS-61)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.permissions import Permission
from accounts.views.sharing import sharing_context
from core.errors import Conflict, Invalid
from core.pages import respond
from datasets.forms.dataset import DeleteDatasetForm, DetailsForm
from datasets.forms.problems import show_problems
from datasets.forms.table_state import TableState
from datasets.operations.datasets import change_details, delete_dataset
from datasets.places import Area
from datasets.queries.datasets import find_dataset
from datasets.queries.deletion import what_deletion_takes
from datasets.views.addresses import go_to, page_address
from datasets.views.case_table import Shown
from datasets.views.page_context import page_context, part_context
from datasets.views.sharing import SHARING

OWN_PARTS = [("details", gettext_lazy("Details")), ("sharing", gettext_lazy("Sharing"))]


def settings_page(request: Any, shown: Shown, state: TableState) -> HttpResponse:
    """The part of the address: details, sharing, or an app's."""
    context = page_context(request.actor, shown, "settings")
    context |= part_context(request.actor, shown, Area.SETTINGS, OWN_PARTS, state.part)
    if context["part"] == "sharing":
        context |= sharing_context(request.actor, SHARING, shown.dataset, may_edit=shown.may_edit)
    return respond(request, "datasets/settings.html", context, part="area")


@require_http_methods(["GET", "POST"])
def dataset_details(request: Any, dataset_id: UUID) -> HttpResponse:
    """Edit name and description; no version (DS-61)."""
    found = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    form = DetailsForm.of(found, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            change_details(request.actor, dataset_id=dataset_id, **form.cleaned_data)
        except Invalid as error:
            show_problems(form, error)
        else:
            messages.success(request, _("The details are saved."))
            return go_to(request, page_address(dataset_id, tab="settings"))
    context = {"dataset": found, "form": form}
    return respond(request, "datasets/details.html", context, part="dialog", status=422 if form.is_bound else 200)


@require_http_methods(["GET", "POST"])
def dataset_delete(request: Any, dataset_id: UUID) -> HttpResponse:
    """Say in numbers what goes, ask for the name, then delete (DS-D17)."""
    found = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    form = DeleteDatasetForm(request.POST or None, thing=found)
    status = 422 if form.is_bound else 200
    if request.method == "POST" and form.is_valid():
        try:
            delete_dataset(request.actor, dataset_id=dataset_id)
        except Conflict as error:
            form.add_error(None, str(error))
            status = 409
        else:
            messages.success(request, _("“%(name)s” is deleted.") % {"name": found.name})
            return go_to(request, reverse("dataset_list"))
    context = {"dataset": found, "form": form, "taken": what_deletion_takes(found)}
    return respond(request, "datasets/delete.html", context, part="dialog", status=status)
