"""What the case form answers: the form again in another state, the page of the saved case, or whether it could be."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from core.pages import respond
from datasets.forms.case import CaseForm, missing_base
from datasets.models import Dataset
from datasets.operations.cases import SavedCase, refuse_hidden_fields
from datasets.queries.cases import tags_of
from datasets.queries.evaluators import evaluators_of, judge_is_off
from datasets.queries.seen_cases import SeenCase
from datasets.views.addresses import go_to, page_address, unkept, wants_panel
from datasets.views.telling import tell_hidden


def form_of(case: SeenCase, data: Any = None) -> CaseForm:
    """The form of a case as the reader sees it, or with what was sent."""
    kept: Any = {"revision": case.revision, "removal": case.removal_key}
    return CaseForm(data, content=case.content, text_hidden=case.text_hidden, **kept)


@dataclass(frozen=True)
class CaseWriting:
    """A case that is being written: a new one without `case`. `copy_of` names its copy in the browser."""

    request: Any
    dataset: Dataset
    form: CaseForm
    case: SeenCase | None = None
    copy_of: str = "new"

    @classmethod
    def of(cls, request: Any, dataset: Dataset, case: SeenCase) -> "CaseWriting":
        """The form of a case as it is, or with what was sent. Raises `NotAllowed` for a hidden field (ACC-30)."""
        data = request.POST if request.method == "POST" else None
        form = form_of(case, data)
        if case.text_hidden and form.is_bound:
            refuse_hidden_fields(form.sent_fields)
        return cls(request, dataset, form, case, str(case.id))

    @property
    def action(self) -> str:
        """Where the form is sent, with the list's part of the address."""
        query = self.request.GET.urlencode()
        name, arguments = (
            ("case_edit", [self.dataset.pk, self.case.id]) if self.case else ("case_new", [self.dataset.pk])
        )
        return reverse(name, args=arguments) + (f"?{query}" if query else "")


def answer(writing: CaseWriting, *, status: int = 200, **stopped: Any) -> HttpResponse:
    """The form. `stopped` says why a save has stopped: twins, theirs with taken, was_deleted, refusal."""
    if twins := stopped.get("twins"):
        stopped["twins"] = [page_address(writing.dataset.pk, case=twin) for twin in twins]
    context = _context(writing, stopped) | stopped
    request = writing.request
    if wants_panel(request) and request.method == "GET":
        return unkept(render(request, "datasets/case_form_panel.html", context, status=status))
    return unkept(respond(request, "datasets/case_form.html", context, part="form", status=status))


def _context(writing: CaseWriting, stopped: Mapping[str, Any]) -> dict[str, Any]:
    dataset, form, case = writing.dataset, writing.form, writing.case
    return {
        "dataset": dataset,
        "form": form,
        "case": case,
        "action": writing.action,
        "copy_of": writing.copy_of,
        "next_version": dataset.newest_version + 1,
        "close_href": page_address(dataset.pk, writing.request.GET.urlencode(), case=case.id if case else None),
        "panel_row": case.id if case else "",
        "sections": form.open_sections(),
        "tags_known": "\n".join(tags_of(dataset, dataset.newest_version)),
        **_grading(writing),
        "stopped": bool({"twins", "theirs", "was_deleted", "refusal"} & set(stopped)),
        "is_dirty": form.differs(),
        "theirs": None,
    }


def _grading(writing: CaseWriting) -> dict[str, Any]:
    """What will grade an answer to the case (DS-105)."""
    evaluators = evaluators_of(writing.dataset, writing.form.holds())
    is_set_up = any(one.is_on is not None for one in evaluators)
    return {"evaluators": evaluators, "grading_is_set_up": is_set_up, "judge_is_off": judge_is_off(evaluators)}


def switched(writing: CaseWriting) -> HttpResponse:
    """The same values as JSON, or as fields again once the JSON can be read (DS-103, DS-D27)."""
    form = writing.form
    values = form.check() if form.is_json else form.raw()
    if values is None:
        return answer(writing, status=422)
    other = form.filled(values, mode="fields" if form.is_json else "json")
    return answer(replace(writing, form=other), switched=True)


def unreadable(writing: CaseWriting) -> HttpResponse:
    """The form with what is wrong at each field; an edit also says from which revision it began (DS-D11)."""
    writing.form.raw()
    if writing.case and not writing.form.sent_revision:
        writing.form.add_error(None, missing_base())
    return answer(writing, status=422)


def told(could: bool) -> HttpResponse:
    """Whether saving would succeed as things stand (DS-D30)."""
    return unkept(JsonResponse({"could_be_saved": could}))


def saved(request: Any, dataset_id: UUID, case: SavedCase) -> HttpResponse:
    """To the page of the saved case, saying which version it made."""
    if case.changed:
        messages.success(request, _("Saved as version %(number)d.") % {"number": case.version})
    else:
        messages.info(request, _("Nothing changed, so there is no new version."))
    tell_hidden(request, case.hidden)
    address = page_address(dataset_id, request.GET.urlencode(), version=None, tab="cases", case=case.revision.case_id)
    return go_to(request, address)
