"""Adding an answer from the chat or from Activity: the control at it, its dialog, what a rating asks (DS-142 on)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.actor import Actor
from accounts.permissions import Permission
from activity.models import Message, RunRating
from activity.places import AskedAgain
from core.errors import Conflict, Invalid, NotAllowed
from core.pages import Event, announce
from datasets.forms.answer import AnswerForm, RatedAnswerForm
from datasets.forms.problems import show_problems
from datasets.operations.answers import AddedAnswer, add_answer_to_new_dataset, add_case_from_answer
from datasets.queries.answers import (
    CopiedAnswer,
    datasets_to_add_to,
    datasets_with,
    find_copied_answer,
    last_dataset,
    may_add_answers,
    owner_of_private,
)
from datasets.queries.datasets import find_dataset
from datasets.views.addresses import id_or_none, page_address, unkept
from datasets.views.rated_answers import ADD


@require_safe
def answer_cases(request: Any, message_id: UUID) -> HttpResponse:
    """The control at an answer's last step: where it is a case already, and the way to add it (DS-153, DS-178)."""
    copied = _found(request.actor, message_id)
    return unkept(render(request, "datasets/answers/control.html", _control(request, copied)))


@require_http_methods(["GET", "POST"])
def answer_add(request: Any, message_id: UUID) -> HttpResponse:
    """The dialog that adds an answer; a POST adds it, or shows again what stops it (DS-154, ACC-38)."""
    copied = _found(request.actor, message_id)
    form = _form(request, copied)
    if request.method == "GET" or not form.is_valid():
        return _dialog(request, copied, form, status=422 if form.is_bound else 200)
    if owner_of_private(request.actor, copied.conversation) and not form.cleaned_data["warned"]:
        return _dialog(request, copied, _form(request, copied, again=True), status=409)
    try:
        added = _add(request.actor, copied, form)
    except Invalid as error:
        show_problems(form, error)
        return _dialog(request, copied, form, status=422)
    except Conflict as conflict:
        return _dialog(request, copied, form, status=409, refusal=conflict)
    return _told(request, copied, added)


@require_safe
def answer_rated(request: Any, message_id: UUID) -> HttpResponse:
    """What the confirmation of a thumb up offers, and what the dialog of a thumb down asks (DS-143 to DS-147)."""
    copied = _found(request.actor, message_id)
    is_up = request.GET.get("rating") == RunRating.UP
    form = _form(request, copied, kind=AnswerForm if is_up else RatedAnswerForm)
    context = {"copied": copied, "form": form, "added": datasets_with(request.actor, copied)}
    return unkept(render(request, f"datasets/answers/rated_{'up' if is_up else 'down'}.html", context))


def asked_again(request: Any, message: Message) -> AskedAgain:
    """What the dialog of a thumb down asked, as it was sent: a ticked box without a dataset is asked about (DS-146)."""
    if not request.POST.get(ADD):
        return AskedAgain()
    copied = _found(request.actor, message.pk)
    form = _form(request, copied, kind=RatedAnswerForm)
    added = datasets_with(request.actor, copied)
    is_complete = bool(added) or not copied.text or form.is_valid()
    context = {"copied": copied, "form": form, "added": added}
    return AskedAgain(is_complete, render_to_string("datasets/answers/rated_down.html", context, request))


@require_safe
def add_from_activity(request: Any, dataset_id: UUID) -> HttpResponse:
    """To the list of runs, where each answer can be added to this dataset (DS-13, DS-156)."""
    find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    return redirect(f"{reverse('run_list')}?dataset={dataset_id}")


@require_safe
def adding_notice(request: Any) -> HttpResponse:
    """Above the list of runs: which dataset answers are added to, and the way back to it (DS-156, DS-157).

    Nothing for a dataset that the member may not edit, as for one that does not exist.
    """
    dataset_id = id_or_none(request.GET.get("dataset"))
    dataset = next((each for each in datasets_to_add_to(request.actor) if each.pk == dataset_id), None)
    return unkept(render(request, "datasets/answers/notice.html", {"dataset": dataset}))


def _found(actor: Actor, message_id: UUID) -> CopiedAnswer:
    """The answer, for who can edit some dataset; the message comes first, since it may not be known (ACC-D9)."""
    copied = find_copied_answer(actor, message_id)
    if not may_add_answers(actor):
        raise NotAllowed
    return copied


def _form(request: Any, copied: CopiedAnswer, *, kind: type[AnswerForm] = AnswerForm, again: bool = False) -> Any:
    data = request.POST.copy() if request.method == "POST" else None
    if again and data is not None:
        data["warned"] = "1"
    chosen = id_or_none(request.GET.get("dataset")) or last_dataset(request.actor)
    is_private = owner_of_private(request.actor, copied.conversation) is not None
    datasets = datasets_to_add_to(request.actor)
    return kind(data, copied=copied, datasets=datasets, chosen=chosen, is_private=is_private)


def _add(actor: Actor, copied: CopiedAnswer, form: AnswerForm) -> AddedAnswer:
    sent = form.cleaned_data
    wanted = {"message_id": copied.message.pk, **form.wanted}
    if sent.get("dataset"):
        return add_case_from_answer(actor, dataset_id=UUID(sent["dataset"]), **wanted)
    return add_answer_to_new_dataset(actor, name=sent["name"], **wanted)


def _control(request: Any, copied: CopiedAnswer) -> dict[str, Any]:
    """Offered is what is not done yet: to the dataset of the address, or to a first one (DS-156, DS-D54)."""
    added = datasets_with(request.actor, copied)
    target = id_or_none(request.GET.get("dataset"))
    is_open = target not in {each.dataset.pk for each in added} if target else not added
    return {"copied": copied, "added": added, "is_open": is_open, "query": request.GET.urlencode()}


def _dialog(
    request: Any, copied: CopiedAnswer, form: AnswerForm, *, status: int, refusal: Conflict | None = None
) -> HttpResponse:
    there = refusal.data.get("case") if refusal else None
    context = {
        "copied": copied,
        "form": form,
        "owner": owner_of_private(request.actor, copied.conversation),
        "refusal": refusal,
        "there": page_address(UUID(form.cleaned_data["dataset"]), case=there) if there else "",
        "query": request.GET.urlencode(),
        "in_dialog": request.headers.get("HX-Request") == "true",
    }
    template = "datasets/answers/dialog.html" if context["in_dialog"] else "datasets/answers/page.html"
    response = unkept(render(request, template, context, status=status))
    if context["in_dialog"] and request.method == "POST":
        response["HX-Retarget"], response["HX-Reswap"] = "#dialog-content", "innerHTML"
    return response


def _told(request: Any, copied: CopiedAnswer, added: AddedAnswer) -> HttpResponse:
    """The control as it is now, and what was done in words; without htmx the case itself (DS-178)."""
    text = in_words(added)
    if request.headers.get("HX-Request") != "true":
        messages.success(request, text)
        return redirect(page_address(added.dataset.pk, case=added.revision.case_id))
    context = {**_control(request, copied), "is_rated": "rated" in request.POST}
    response = unkept(render(request, "datasets/answers/added.html", context))
    announce(response, Event.MESSAGE_SHOWN, {"text": text, "kind": "pass"})
    return announce(response, Event.DIALOG_CLOSED)


def in_words(added: AddedAnswer) -> str:
    """What an addition did: where to, twins, what was left out, hidden credentials (DS-D34, DS-D61, DS-D64)."""
    told = [_("Added to %(dataset)s, version %(number)d.") % {"dataset": added.dataset.name, "number": added.version}]
    if added.twins:
        words = ngettext("%(count)d other case asks the same.", "%(count)d other cases ask the same.", added.twins)
        told.append(words % {"count": added.twins})
    if added.turns_left_out:
        words = ngettext(
            "The earliest turn did not fit.", "The %(count)d earliest turns did not fit.", added.turns_left_out
        )
        told.append(words % {"count": added.turns_left_out})
    if added.hidden:
        words = ngettext(
            "%(count)d value looked like a credential and was hidden.",
            "%(count)d values looked like credentials and were hidden.",
            added.hidden,
        )
        told.append(words % {"count": added.hidden})
    return " ".join(told)
