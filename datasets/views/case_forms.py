"""Adding and editing a case, in the side panel or as a page (DS-98 to DS-105, DS-115 to DS-118, DS-D11).

A form is sent to the address it came from. `act=switch` changes between fields and JSON, `act=check` asks whether
saving would succeed, `take` puts one field of a conflict to what somebody else saved; everything else saves.
"""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from accounts.permissions import Permission
from core.errors import Conflict, Invalid
from datasets.forms.case import CaseForm
from datasets.operations.case_trials import could_add, could_edit
from datasets.operations.cases import add_case, edit_case
from datasets.queries.cases import case_was_deleted, find_case, twins_of
from datasets.queries.datasets import find_dataset
from datasets.views.case_conflicts import conflict_shown, deleted, refused
from datasets.views.case_writing import CaseWriting, answer, saved, switched, told, unreadable


@require_http_methods(["GET", "POST"])
def case_new(request: Any, dataset_id: UUID) -> HttpResponse:
    """Write a case; a question that is there already stops the save once (DS-115)."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    writing = CaseWriting(request, dataset, CaseForm(request.POST if request.method == "POST" else None))
    if request.method == "GET":
        return answer(writing)
    if request.POST.get("act") == "switch":
        return switched(writing)
    draft = writing.form.draft()
    twins = twins_of(dataset, draft.input) if draft and "anyway" not in request.POST else []
    if request.POST.get("act") == "check":
        could = draft is not None and not twins and could_add(request.actor, dataset_id=dataset_id, draft=draft)
        return told(could)
    if draft is None:
        return unreadable(writing)
    if twins:
        return answer(writing, status=409, twins=twins)
    try:
        return saved(request, dataset_id, add_case(request.actor, dataset_id=dataset_id, draft=draft))
    except (Invalid, Conflict) as error:
        return refused(writing, error)


@require_http_methods(["GET", "POST"])
def case_edit(request: Any, dataset_id: UUID, case_id: UUID) -> HttpResponse:
    """Edit a case of the newest version; what somebody else saved meanwhile is shown beside one's own (DS-D11)."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    if case_was_deleted(dataset, case_id):
        return deleted(request, dataset, case_id)
    writing = CaseWriting.of(request, dataset, find_case(request.actor, dataset, dataset.newest_version, case_id))
    if request.method == "GET" or request.POST.get("act") == "switch":
        return answer(writing) if request.method == "GET" else switched(writing)
    if "take" in request.POST:
        return conflict_shown(writing, take=request.POST["take"])
    changes = writing.form.changes() if writing.form.sent_revision else None
    edit: Any = {"dataset_id": dataset_id, "case_id": case_id, **writing.form.bases()}
    if request.POST.get("act") == "check":
        return told(changes is not None and could_edit(request.actor, changes=changes, **edit))
    if changes is None:
        return unreadable(writing)
    try:
        return saved(request, dataset_id, edit_case(request.actor, changes=changes, **edit))
    except (Invalid, Conflict) as error:
        return refused(writing, error)
