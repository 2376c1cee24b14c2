"""The part "Grading" of a dataset's settings: two cards, one form, one saving (SC-20 to SC-43).

The form is sent to its own address. `act=check` asks whether saving would succeed, `act=notes` what is to be said about
what is on the screen; `add_rule`, `drop`, `yes_no` and `turn_on` change the form and save nothing (SC-33).
"""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import access
from accounts.permissions import Permission
from accounts.views.answers import refused
from agents.forms.connections import NewConnectionForm
from agents.operations.language_models import connect_with_model
from agents.views.dialogs import dialog
from core.errors import Conflict, Invalid
from core.pages import Event, announce, respond
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import go_to, unkept
from scoring.forms.grading import GradingForm
from scoring.forms.grading_acts import act_of
from scoring.operations.settings import change_scoring, could_change_scoring
from scoring.queries.settings import settings_of
from scoring.views.grading_context import (
    differing,
    form_context,
    grading_address,
    grading_form,
    notes_context,
    read_context,
    unchecked_context,
)


@require_http_methods(["GET", "POST"])
def grading(request: Any, dataset_id: UUID) -> HttpResponse:
    """How the dataset is graded: the form for who may change it, else what is set."""
    if request.method == "POST":
        return _sent(request, find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT))
    dataset = find_dataset(request.actor, dataset_id)
    if not access.may(request.actor, Permission.DATASETS_EDIT, dataset):
        return unkept(respond(request, "scoring/grading_read.html", read_context(request.actor, dataset), part="part"))
    return _shown(request, dataset, grading_form(request.actor, settings_of(dataset)))


def _sent(request: Any, dataset: Dataset) -> HttpResponse:
    found = settings_of(dataset)
    form = grading_form(request.actor, found, request.POST)
    act = act_of(form, request.POST)
    match request.POST.get("act") if act is None else act.name:
        case "notes":
            context = notes_context(dataset, form) | unchecked_context(request.actor, dataset, form)
            return unkept(render(request, "scoring/grading/_notes.html", context))
        case "check":
            read = form.body()
            could = not form.has_row_errors and could_change_scoring(
                request.actor, dataset_id=dataset.pk, changes=read, revision=form.began_from()
            )
            return unkept(JsonResponse({"could_be_saved": could}))
    if act is None or form.has_row_errors:
        return _saved(request, dataset, form)
    changed = grading_form(request.actor, found, values=act.values, revision=form.began_from())
    return _shown(request, dataset, changed, act=act)


def _saved(request: Any, dataset: Dataset, form: GradingForm) -> HttpResponse:
    """Save both cards; what somebody else saved meanwhile is shown beside what was written (SC-D20)."""
    body, conflict = form.body(), None
    if not form.has_row_errors:
        try:
            change_scoring(request.actor, dataset_id=dataset.pk, changes=body, revision=form.began_from())
        except Invalid as error:
            form.show(error)
        except Conflict:
            form = grading_form(request.actor, settings_of(dataset), values=body)
            conflict = differing(dataset, form, body)
        else:
            messages.success(request, _("The grading is saved."))
            return go_to(request, grading_address(dataset))
    return _shown(request, dataset, form, status=422 if conflict is None else 409, conflict=conflict)


def _shown(request: Any, dataset: Dataset, form: GradingForm, *, status: int = 200, **context: Any) -> HttpResponse:
    found = settings_of(dataset)
    context |= form_context(request.actor, dataset, found, form) | unchecked_context(request.actor, dataset, form)
    return unkept(respond(request, "scoring/grading.html", context, part="part", status=status))


@require_http_methods(["GET", "POST"])
def grading_model(request: Any, dataset_id: UUID) -> HttpResponse:
    """Add a model without leaving the settings, which take it as their choice (SC-40)."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    access.require(request.actor, Permission.CONNECTIONS_MANAGE)
    form = NewConnectionForm(request.POST or None)
    if form.is_valid():
        try:
            model = connect_with_model(request.actor, connection=form.connection(), model=form.model())
        except Invalid as error:
            refused(form, error)
        else:
            if request.headers.get("HX-Request") != "true":
                return go_to(request, grading_address(dataset))
            chosen = {"id": model.id_text, "label": f"{model.label} · {model.connection.name}"}
            return announce(announce(HttpResponse(status=204), Event.DIALOG_CLOSED), Event.MODEL_ADDED, chosen)
    return dialog(request, "new_connection", title=_("Add model"), form=form, submit=_("Add model"), wide=True)
