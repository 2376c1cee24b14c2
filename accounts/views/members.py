"""The members of an organisation: their list, their roles, their going (PL-3)."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.actor import Actor
from accounts.forms.joining import RoleForm
from accounts.models import Member
from accounts.operations.members import active_member, change_role, leave_organisation, remove_member
from accounts.permissions import Permission, Role
from accounts.queries.invitations import open_invitations
from accounts.queries.members import members_of, roles_to_give, what_leaving_changes
from accounts.views.answers import dialog, done, refused
from core.errors import Conflict, Invalid


@require_safe
def member_list(request: Any) -> HttpResponse:
    """Everybody in the organisation with their roles."""
    access.require(request.actor, Permission.MEMBERS_MANAGE)
    context = {
        "members": members_of(request.actor),
        "open_invitations": open_invitations(request.actor).count(),
        "may_touch_owners": request.actor.role is Role.OWNER,
    }
    return render(request, "accounts/member_list.html", context)


@require_http_methods(["GET", "POST"])
def member_role(request: Any, member_id: UUID) -> HttpResponse:
    """Give a member another role."""
    member = _member(request.actor, member_id)
    form = RoleForm(request.POST or None, roles=roles_to_give(request.actor), initial={"role": member.role})
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            changed = change_role(request.actor, member_id=member_id, role=form.cleaned_data["role"])
            message = _("%(name)s is %(role)s now.") % {"name": changed, "role": changed.role_label}
            return done(request, reverse("member_list"), message)
        except (Invalid, Conflict) as error:
            status = refused(form, error)
    title = _("Role of %(name)s") % {"name": member}
    back = reverse("member_list")
    return dialog(request, "form", title=title, back=back, form=form, submit=_("Change role"), status=status)


@require_http_methods(["GET", "POST"])
def member_remove(request: Any, member_id: UUID) -> HttpResponse:
    """Remove a member, after saying in numbers what that does."""
    member = _member(request.actor, member_id)
    if request.method == "POST":
        remove_member(request.actor, member_id=member_id)
        return done(request, reverse("member_list"), _("%(name)s was removed.") % {"name": member})
    return _leaving(request, member, title=_("Remove %(name)s?") % {"name": member}, submit=_("Remove member"))


@require_http_methods(["GET", "POST"])
def organisation_leave(request: Any) -> HttpResponse:
    """End one's own membership."""
    if request.method == "POST":
        leave_organisation(request.actor)
        return done(request, reverse("home"), _("You left %(name)s.") % {"name": request.actor.organisation})
    title = _("Leave %(name)s?") % {"name": request.actor.organisation}
    return _leaving(request, request.actor.member, title=title, submit=_("Leave"), back=reverse("my_account"), own=True)


def _member(actor: Actor, member_id: UUID) -> Member:
    access.require(actor, Permission.MEMBERS_MANAGE)
    return active_member(actor, member_id)


def _leaving(request: HttpRequest, member: Member, *, title: str, submit: str, **context: Any) -> HttpResponse:
    context.setdefault("back", reverse("member_list"))
    context |= {"member": member, "leaving": what_leaving_changes(member), "danger": True}
    return dialog(request, "leaving", title=title, submit=submit, **context)
