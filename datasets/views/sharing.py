"""Who sees a dataset, who may change it, and whose it is (ACC-3, ACC-13 to ACC-17, ACC-D5 to ACC-D8)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import access
from accounts.actor import Actor
from accounts.models import Visibility
from accounts.operations.sharing import change_visibility, share, transfer_ownership, unshare
from accounts.permissions import ROLE_LABELS, GrantLevel, Permission, Role
from accounts.queries.sharing import (
    grant_of,
    grants_of,
    may_hand_over,
    members_to_share_with,
    roles_reaching,
    sees_without_owning,
    who_gains_access,
    who_loses_access,
)
from core.errors import Invalid, NotAllowed
from core.limits import LIMITS
from core.pages import Event, announce, respond
from datasets.forms.problems import show_problems
from datasets.forms.sharing import OwnerForm, ShareForm
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset, find_or_none
from datasets.views.addresses import go_to, page_address


def sharing_context(actor: Actor, dataset: Dataset, *, may_edit: bool) -> dict[str, Any]:
    """What the part shows; the list of members it is shared with is for those who may share (ACC-D7)."""
    return {
        "dataset": dataset,
        "grants": grants_of(dataset) if may_edit else [],
        "may_share": may_edit,
        "may_hand_over": may_hand_over(actor, dataset),
        "reading": _in_words(roles_reaching(dataset, "view")),
        "editing": _in_words(roles_reaching(dataset, "edit")),
        "is_private": dataset.visibility == Visibility.PRIVATE,
    }


@require_http_methods(["GET", "POST"])
def sharing_visibility(request: Any, dataset_id: UUID) -> HttpResponse:
    """Turn the visibility, after saying who loses or gains access (ACC-3, ACC-D7)."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    to_private = dataset.visibility == Visibility.ORGANISATION
    if request.method == "POST":
        change_visibility(request.actor, dataset, visibility=request.POST.get("visibility", ""))
        messages.success(request, _("Visibility is changed."))
        return _back(request, dataset_id)
    to = Visibility.PRIVATE if to_private else Visibility.ORGANISATION
    context: dict[str, Any] = {"dataset": dataset, "to": to}
    context |= {"losing": who_loses_access(dataset)} if to_private else {"gaining": who_gains_access(dataset)}
    return respond(request, "datasets/visibility.html", context, part="dialog")


@require_http_methods(["GET", "POST"])
def sharing_new(request: Any, dataset_id: UUID) -> HttpResponse:
    """Choose a member by searching, and how far they may go (ACC-13)."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    form = ShareForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            share(request.actor, dataset, member_id=form.cleaned_data["member"], level=form.cleaned_data["level"])
        except Invalid as error:
            show_problems(form, error)
        else:
            return _told(request, dataset, UUID(form.cleaned_data["member"]))
    context = {"dataset": dataset, "form": form, **_choice(request, dataset)}
    return _choosing(request, "datasets/share.html", context)


@require_POST
def sharing_level(request: Any, dataset_id: UUID, member_id: UUID) -> HttpResponse:
    """Give a member another level, and show the list as it is then."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    grant_of(dataset, member_id)
    share(request.actor, dataset, member_id=member_id, level=request.POST.get("level", ""))
    if request.headers.get("HX-Request") != "true" or not access.may(request.actor, Permission.DATASETS_EDIT, dataset):
        return _told(request, dataset, member_id)
    context = sharing_context(request.actor, dataset, may_edit=True)
    response = respond(request, "datasets/settings.html", context, part="grants")
    return announce(response, Event.MESSAGE_SHOWN, {"text": _what_they_can(dataset, member_id), "kind": "pass"})


@require_http_methods(["GET", "POST"])
def sharing_remove(request: Any, dataset_id: UUID, member_id: UUID) -> HttpResponse:
    """Take a member's grant away, after saying what stays of their access; one without effect too (ACC-17)."""
    dataset = find_dataset(request.actor, dataset_id, Permission.DATASETS_EDIT)
    grant = grant_of(dataset, member_id)
    if request.method == "POST":
        unshare(request.actor, dataset, member_id=member_id)
        messages.success(request, _("The dataset is no longer shared with %(name)s.") % {"name": grant.member})
        return _back(request, dataset_id)
    role = Role(grant.member.role)
    left = (
        "edit" if role in roles_reaching(dataset, "edit") else "view" if role in roles_reaching(dataset, "view") else ""
    )
    return respond(request, "datasets/unshare.html", {"dataset": dataset, "grant": grant, "left": left}, part="dialog")


@require_http_methods(["GET", "POST"])
def dataset_owner(request: Any, dataset_id: UUID) -> HttpResponse:
    """Hand the dataset over to another member (ACC-D8)."""
    dataset = find_dataset(request.actor, dataset_id)
    if not may_hand_over(request.actor, dataset):
        raise NotAllowed(_("Only its owner, or an Owner or Admin of the organisation, can hand it over."))
    form = OwnerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            handed = transfer_ownership(request.actor, dataset, member_id=form.cleaned_data["member"])
        except Invalid as error:
            show_problems(form, error)
        else:
            messages.success(request, _("%(name)s owns the dataset now.") % {"name": handed.owner})
            return _back(request, dataset_id)
    losing = dataset.owner_id == request.actor.member_id and not sees_without_owning(request.actor, dataset)
    context = {"dataset": dataset, "form": form, "losing_it": losing, **_choice(request, dataset)}
    return _choosing(request, "datasets/owner.html", context)


def _choice(request: Any, dataset: Dataset) -> dict[str, Any]:
    """The members that the search finds, the first of them, and what each has already."""
    search = request.GET.get("q", "")[: LIMITS.search_characters]
    found = members_to_share_with(request.actor, dataset, search=search)
    levels = {row.member.pk: row.level for row in grants_of(dataset) if row.effective}
    offered = [(member, levels.get(member.pk)) for member in found[: LIMITS.members_offered]]
    return {"search": search, "offered": offered, "found": len(found), "more": len(found) - len(offered)}


def _choosing(request: Any, template: str, context: dict[str, Any]) -> HttpResponse:
    part = "members" if request.headers.get("HX-Target") == "member-choices" else "dialog"
    return respond(request, template, context, part=part, status=422 if context["form"].is_bound else 200)


def _told(request: Any, dataset: Dataset, member_id: UUID) -> HttpResponse:
    messages.success(request, _what_they_can(dataset, member_id))
    return _back(request, dataset.pk)


def _what_they_can(dataset: Dataset, member_id: UUID) -> str:
    grant = grant_of(dataset, member_id)
    text = _("%(name)s can edit now.") if grant.level is GrantLevel.EDIT else _("%(name)s can view now.")
    return text % {"name": grant.member}


def _back(request: Any, dataset_id: UUID) -> HttpResponse:
    """To the list of members, or to the datasets where the act ended the actor's own access."""
    if find_or_none(request.actor, dataset_id) is None:
        return go_to(request, reverse("dataset_list"))
    return go_to(request, page_address(dataset_id, tab="settings", part="sharing"))


def _in_words(roles: list[Role]) -> list[str]:
    """Their names; empty where it is every role."""
    return [] if len(roles) == len(Role) else [str(ROLE_LABELS[role]) for role in roles]
