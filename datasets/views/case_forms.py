"""Adding and editing a case, in the side panel or as a page (DS-98 to DS-104, DS-115 to DS-118, DS-D11)."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.permissions import Permission
from core.errors import Conflict, Invalid
from core.pages import respond
from datasets.forms.case import CaseForm, shown
from datasets.forms.problems import show_problems
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.models import Dataset
from datasets.operations.cases import SavedCase, add_case, edit_case
from datasets.queries.cases import case_was_deleted, find_case, twins_of
from datasets.queries.datasets import find_dataset
from datasets.queries.seen_cases import SeenCase
from datasets.views.addresses import go_to, page_address, unkept, wants_panel
from datasets.views.telling import tell_hidden


@require_http_methods(["GET", "POST"])
def case_new(request: Any, dataset_id: UUID) -> HttpResponse:
    """Write a case; a question that is there already stops the save once (DS-115)."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    form = CaseForm(request.POST or None)
    if request.method == "GET":
        return _form(request, dataset, form)
    draft = form.draft()
    if draft is None:
        return _form(request, dataset, form, status=422)
    twins = [] if "anyway" in request.POST else twins_of(dataset, draft.input)
    if twins:
        return _form(request, dataset, form, status=409, twins=twins)
    try:
        saved = add_case(request.actor, dataset_id=dataset_id, draft=draft)
    except Invalid as error:
        show_problems(form, error)
        return _form(request, dataset, form, status=422)
    except Conflict as conflict:
        return _form(request, dataset, form, status=409, refusal=str(conflict))
    return _saved(request, dataset_id, saved)


@require_http_methods(["GET", "POST"])
def case_edit(request: Any, dataset_id: UUID, case_id: UUID) -> HttpResponse:
    """Edit a case of the newest version; what somebody else saved meanwhile is shown beside one's own (DS-D11)."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    if case_was_deleted(dataset, case_id):
        return _form(request, dataset, CaseForm(request.POST or None), status=409, was_deleted=True)
    case = find_case(request.actor, dataset, dataset.newest_version, case_id)
    form = CaseForm.of(case.content, case.revision, request.POST or None)
    if request.method == "GET":
        return _form(request, dataset, form, case=case)
    changes = form.changes()
    if changes is None:
        return _form(request, dataset, form, status=422, case=case)
    base = form.cleaned_data["base_revision"]
    try:
        saved = edit_case(request.actor, dataset_id=dataset_id, case_id=case_id, changes=changes, base_revision=base)
    except Invalid as error:
        show_problems(form, error)
        return _form(request, dataset, form, status=422, case=case)
    except Conflict as conflict:
        return _refused(request, dataset, form, case, conflict)
    return _saved(request, dataset_id, saved)


def _saved(request: Any, dataset_id: UUID, saved: SavedCase) -> HttpResponse:
    if saved.changed:
        messages.success(request, _("Saved as version %(number)d.") % {"number": saved.version})
    else:
        messages.info(request, _("Nothing changed, so there is no new version."))
    tell_hidden(request, saved.hidden)
    address = page_address(dataset_id, request.GET.urlencode(), version=None, tab="cases", case=saved.revision.case_id)
    return go_to(request, address)


def _refused(request: Any, dataset: Dataset, form: CaseForm, case: SeenCase, conflict: Conflict) -> HttpResponse:
    if conflict.code != "case_changed":
        return _form(request, dataset, form, status=409, case=case, refusal=str(conflict))
    now = find_case(request.actor, dataset, dataset.newest_version, case.id)
    # What the person wrote stays in the form; saving it again is then a decision against the text shown beside it.
    sent = request.POST.copy()
    sent["base_revision"] = str(now.revision)
    form.data = sent
    theirs = differences(now.content, form)
    return _form(request, dataset, form, status=409, case=now, theirs=theirs)


def differences(now: CaseDraft, form: CaseForm) -> list[tuple[str, str, str]]:
    """Label, text as it is now and text of the form, for each field in which they differ."""
    texts = shown(now)
    pairs = [(name, str(texts[name] or ""), str(form[name].value() or "").replace("\r\n", "\n")) for name in FIELDS]
    return [(str(form[name].label), there, mine) for name, there, mine in pairs if there != mine]


def _form(request: Any, dataset: Dataset, form: CaseForm, *, status: int = 200, **shown_beside: Any) -> HttpResponse:
    context = _context(request, dataset, form, **shown_beside)
    if wants_panel(request) and request.method == "GET":
        return unkept(render(request, "datasets/case_form_panel.html", context, status=status))
    return unkept(respond(request, "datasets/case_form.html", context, part="form", status=status))


def _context(
    request: Any,
    dataset: Dataset,
    form: CaseForm,
    *,
    case: SeenCase | None = None,
    twins: Sequence[UUID] = (),
    **more: Any,
) -> dict[str, Any]:
    list_query = request.GET.urlencode()
    return {
        "dataset": dataset,
        "form": form,
        "case": case,
        "next_version": dataset.newest_version + 1,
        "list_query": list_query,
        "close_href": page_address(dataset.pk, list_query, case=case.id if case else None),
        "panel_row": case.id if case else "",
        "twin_href": page_address(dataset.pk, case=twins[0]) if twins else "",
        "twin_count": len(twins),
        **more,
    }
