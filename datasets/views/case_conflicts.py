"""What the case form shows where somebody saved or deleted the case meanwhile, or a limit stops the save (DS-D11)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.utils.translation import gettext as _

from core.errors import Conflict, Invalid, NotFound
from datasets.forms.case import CaseForm
from datasets.forms.case_values import label_of, same_field, text_of
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.models import Dataset
from datasets.queries.cases import find_case, text_was_removed_since
from datasets.views.addresses import go_to, page_address
from datasets.views.case_writing import CaseWriting, answer, form_of, told


@dataclass(frozen=True)
class Differing:
    """One field in which what was saved meanwhile and what the person wrote differ."""

    name: str
    label: str
    theirs: str
    mine: str


def refused(writing: CaseWriting, error: Invalid | Conflict) -> HttpResponse:
    """The form with why it was not saved."""
    if isinstance(error, Invalid):
        writing.form.show(error)
        return answer(writing, status=422)
    if error.code == "case_changed":
        return conflict_shown(writing)
    if error.code == "case_deleted" and writing.case:
        return deleted(writing.request, writing.dataset, writing.case.id)
    if error.code == "text_removed" and writing.case:
        # The form as it is stored now: what was written from the erased text is not shown again (ACC-D37).
        writing = replace(writing, form=form_of(writing.case))
    return answer(writing, status=409, refusal=str(error))


def conflict_shown(writing: CaseWriting, *, take: str = "") -> HttpResponse:
    """Both texts, field by field; the person's own stay in the form, and saving them again is then a decision.

    A field that the person did not touch has nothing of their own: it takes what was saved meanwhile. `take` names a
    field for which the person chose that too.
    """
    mine = writing.form.raw()
    if mine is None or writing.case is None:
        return answer(writing, status=422)
    actor, dataset = writing.request.actor, writing.dataset
    now = find_case(actor, dataset, dataset.newest_version, writing.case.id)
    theirs, base = now.content.as_dict(), _base(writing)
    untouched = [name for name in FIELDS if base and same_field(name, mine[name], base[name])]
    taken = [name for name in untouched if not same_field(name, mine[name], theirs[name])]
    values = {**mine, **{name: theirs[name] for name in [*taken, *([take] if take in FIELDS else [])]}}
    shown = form_of(now).filled(values, mode="json" if writing.form.is_json else "fields")
    labels = [label_of(name) for name in taken]
    writing = replace(writing, form=shown, case=now)
    return answer(writing, status=200 if take else 409, theirs=_differing(theirs, values), taken=labels)


def _base(writing: CaseWriting) -> Mapping[str, Any] | None:
    """The case as it was when the person began, where the form says a revision that there was."""
    number = writing.form.sent_revision
    if number is None or writing.case is None:
        return None
    try:
        return find_case(writing.request.actor, writing.dataset, number, writing.case.id).content.as_dict()
    except NotFound:
        return None


def _differing(theirs: Mapping[str, Any], mine: Mapping[str, Any]) -> list[Differing]:
    names = [name for name in FIELDS if not same_field(name, theirs[name], mine[name])]
    return [Differing(name, label_of(name), text_of(name, theirs[name]), text_of(name, mine[name])) for name in names]


def deleted(request: Any, dataset: Dataset, case_id: UUID) -> HttpResponse:
    """What was written, to be added as a new case; who only wanted to look is told where the case still is.

    So is who wrote from a text that was erased meanwhile: that is not offered again (ACC-D37).
    """
    if request.method != "POST":
        return go_to(request, page_address(dataset.pk, request.GET.urlencode(), case=case_id))
    if request.POST.get("act") == "check":
        return told(False)
    form = CaseForm(request.POST, content=CaseDraft(input=""))
    base, removal = form.sent_revision, form.sent_removal
    if base and removal and text_was_removed_since(dataset, case_id, base, removal):
        messages.warning(request, _("The case was deleted and its text erased, so what you wrote from it is dropped."))
        return go_to(request, page_address(dataset.pk, request.GET.urlencode(), case=None))
    form.raw()
    return answer(CaseWriting(request, dataset, form, copy_of=str(case_id)), status=409, was_deleted=True)
