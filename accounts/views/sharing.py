"""Who sees a shared resource, who may change it, and whose it is (PL-5, ACC-3, ACC-13 to ACC-17, ACC-D5 to ACC-D8)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts import access
from accounts.actor import Actor
from accounts.forms.problems import show
from accounts.forms.sharing import OwnerForm, ShareForm
from accounts.models import SharedResource, Visibility
from accounts.operations.sharing import change_visibility, share, transfer_ownership, unshare
from accounts.permissions import ROLE_LABELS, GrantLevel, Role
from accounts.queries.sharing import (
    grant_of,
    grants_of,
    is_in_sight,
    may_hand_over,
    members_to_share_with,
    roles_reaching,
    sees_without_owning,
    who_gains_access,
    who_loses_access,
)
from accounts.views.answers import done
from accounts.views.sharing_pages import SharingPages
from core.errors import Invalid, NotAllowed
from core.limits import LIMITS
from core.numbers import count
from core.pages import Event, announce, respond


def sharing_paths(pages: SharingPages) -> list[URLPattern]:
    """The five addresses under a thing's own, for the urls of its app."""
    names, given = pages.names, {"pages": pages}
    return [
        path("<id:thing_id>/visibility/", visibility, given, name=names.visibility),
        path("<id:thing_id>/owner/", owner, given, name=names.owner),
        path("<id:thing_id>/sharing/new/", sharing_new, given, name=names.new),
        path("<id:thing_id>/sharing/<id:member_id>/level/", sharing_level, given, name=names.level),
        path("<id:thing_id>/sharing/<id:member_id>/remove/", sharing_remove, given, name=names.remove),
    ]


def sharing_context(actor: Actor, pages: SharingPages, thing: SharedResource, *, may_edit: bool) -> dict[str, Any]:
    """For `sharing/_sharing.html`; the list of members it is shared with is for those who may share (ACC-D7)."""
    return {
        **_about(pages, thing),
        "grants": grants_of(thing) if may_edit else [],
        "may_share": may_edit,
        "may_hand_over": may_hand_over(actor, thing),
        "reading": _in_words(roles_reaching(thing, "view")),
        "editing": _in_words(roles_reaching(thing, "edit")),
        "is_private": thing.visibility == Visibility.PRIVATE,
        "everyone": str(pages.words.everyone) % {"name": actor.organisation.name},
    }


@require_http_methods(["GET", "POST"])
def visibility(request: Any, thing_id: UUID, pages: SharingPages) -> HttpResponse:
    """Turn the visibility, after saying who loses or gains access (ACC-3, ACC-D7)."""
    thing = pages.find(request.actor, thing_id)
    if request.method == "POST":
        change_visibility(request.actor, thing, visibility=request.POST.get("visibility", ""))
        return _back(request, pages, thing_id, _("Visibility is changed."))
    context = _about(pages, thing)
    if thing.visibility == Visibility.ORGANISATION:
        context |= {"to": Visibility.PRIVATE, "losing": who_loses_access(thing)}
    else:
        gaining = who_gains_access(thing)
        words: Any = pages.words.gaining
        context |= {"to": Visibility.ORGANISATION, "gaining": words % {"n": gaining, "shown": count(gaining)}}
    return respond(request, "sharing/visibility.html", context, part="dialog")


@require_http_methods(["GET", "POST"])
def sharing_new(request: Any, thing_id: UUID, pages: SharingPages) -> HttpResponse:
    """Choose a member by searching, and how far they may go (ACC-13)."""
    thing = pages.find(request.actor, thing_id)
    form = ShareForm(request.POST or None, can_read=pages.words.can_read, can_edit=pages.words.can_edit)
    if request.method == "POST" and form.is_valid():
        try:
            share(request.actor, thing, member_id=form.cleaned_data["member"], level=form.cleaned_data["level"])
        except Invalid as error:
            show(form, error)
        else:
            return _told(request, pages, thing, UUID(form.cleaned_data["member"]))
    return _choosing(request, "sharing/share.html", {**_about(pages, thing), "form": form, **_choice(request, thing)})


@require_POST
def sharing_level(request: Any, thing_id: UUID, member_id: UUID, pages: SharingPages) -> HttpResponse:
    """Give a member another level, and show the list as it is then."""
    thing = pages.find(request.actor, thing_id)
    grant_of(thing, member_id)
    share(request.actor, thing, member_id=member_id, level=request.POST.get("level", ""))
    may_edit = access.may(request.actor, thing.permission_to("edit"), thing)
    if request.headers.get("HX-Request") != "true" or not may_edit:
        return _told(request, pages, thing, member_id)
    context = sharing_context(request.actor, pages, thing, may_edit=True)
    response = respond(request, "sharing/sharing.html", context, part="grants")
    return announce(response, Event.MESSAGE_SHOWN, {"text": _what_they_can(thing, member_id), "kind": "pass"})


@require_http_methods(["GET", "POST"])
def sharing_remove(request: Any, thing_id: UUID, member_id: UUID, pages: SharingPages) -> HttpResponse:
    """Take a member's grant away, after saying what stays of their access; one without effect too (ACC-17)."""
    thing = pages.find(request.actor, thing_id)
    grant = grant_of(thing, member_id)
    if request.method == "POST":
        unshare(request.actor, thing, member_id=member_id)
        return _back(request, pages, thing_id, str(pages.words.no_longer_shared) % {"name": grant.member})
    role = Role(grant.member.role)
    left = next((verb for verb in ("edit", "view") if role in roles_reaching(thing, verb)), "")
    context = {**_about(pages, thing), "grant": grant, "left": left}
    return respond(request, "sharing/unshare.html", context, part="dialog")


@require_http_methods(["GET", "POST"])
def owner(request: Any, thing_id: UUID, pages: SharingPages) -> HttpResponse:
    """Hand the thing over to another member (ACC-D8)."""
    thing = pages.find(request.actor, thing_id, "view")
    if not may_hand_over(request.actor, thing):
        raise NotAllowed(_("Only its owner, or an Owner or Admin of the organisation, can hand it over."))
    form = OwnerForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            handed = transfer_ownership(request.actor, thing, member_id=form.cleaned_data["member"])
        except Invalid as error:
            show(form, error)
        else:
            return _back(request, pages, thing_id, str(pages.words.owns_it_now) % {"name": handed.owner})
    losing = thing.owner_id == request.actor.member_id and not sees_without_owning(request.actor, thing)
    context = {**_about(pages, thing), "form": form, "losing_it": losing, **_choice(request, thing)}
    return _choosing(request, "sharing/owner.html", context)


def _about(pages: SharingPages, thing: SharedResource) -> dict[str, Any]:
    """What every one of the templates reads: the thing, the addresses and the words."""
    return {"thing": thing, "names": pages.names, "words": pages.words, "pages": pages, "back": pages.back(thing.pk)}


def _choice(request: Any, thing: SharedResource) -> dict[str, Any]:
    """The members that the search finds, the first of them, and what each has already."""
    search = request.GET.get("q", "")[: LIMITS.search_characters]
    found = members_to_share_with(request.actor, thing, search=search)
    levels = {row.member.pk: row.level for row in grants_of(thing) if row.effective}
    offered = [(member, levels.get(member.pk)) for member in found[: LIMITS.members_offered]]
    return {"search": search, "offered": offered, "found": len(found), "more": len(found) - len(offered)}


def _choosing(request: Any, template: str, context: dict[str, Any]) -> HttpResponse:
    part = "members" if request.headers.get("HX-Target") == "member-choices" else "dialog"
    return respond(request, template, context, part=part, status=422 if context["form"].is_bound else 200)


def _told(request: Any, pages: SharingPages, thing: SharedResource, member_id: UUID) -> HttpResponse:
    return _back(request, pages, thing.pk, _what_they_can(thing, member_id))


def _what_they_can(thing: SharedResource, member_id: UUID) -> str:
    grant = grant_of(thing, member_id)
    text = _("%(name)s can edit now.") if grant.level is GrantLevel.EDIT else _("%(name)s can view now.")
    return text % {"name": grant.member}


def _back(request: Any, pages: SharingPages, thing_id: UUID, message: str) -> HttpResponse:
    """To the list of members, or to the list of things where the act ended the actor's own access."""
    messages.success(request, message)
    in_sight = is_in_sight(pages.model, request.actor, thing_id)
    return done(request, pages.back(thing_id) if in_sight else pages.list_address())


def _in_words(roles: list[Role]) -> list[str]:
    """Their names; empty where it is every role."""
    return [] if len(roles) == len(Role) else [str(ROLE_LABELS[role]) for role in roles]
