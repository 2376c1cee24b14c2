"""Inviting people, and the list of who was invited (PL-1)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access
from accounts.forms.joining import InviteForm
from accounts.operations.invitations import invite_member, revoke_invitation
from accounts.permissions import Permission
from accounts.queries.invitations import invitations_of, open_invitations
from accounts.queries.members import members_of, roles_to_give
from accounts.views.answers import dialog, done, refused
from core.errors import Invalid
from core.paging import Order, keyset_page

NEWEST_FIRST = [Order("created_at", descending=True), Order("pk", descending=True)]


@require_safe
def invitation_list(request: Any) -> HttpResponse:
    """Open, used, withdrawn and expired invitations, newest first."""
    access.require(request.actor, Permission.MEMBERS_MANAGE)
    cursor = request.GET.get("after") or request.GET.get("before") or ""
    context = {
        "page": keyset_page(invitations_of(request.actor), NEWEST_FIRST, cursor=cursor),
        "member_count": members_of(request.actor).count(),
        "open_invitations": open_invitations(request.actor).count(),
    }
    return render(request, "accounts/invitation_list.html", context)


@require_http_methods(["GET", "POST"])
def invitation_new(request: Any) -> HttpResponse:
    """Invite somebody; the answer shows the link, this once."""
    access.require(request.actor, Permission.MEMBERS_MANAGE)
    form = InviteForm(request.POST or None, roles=roles_to_give(request.actor))
    status, back = (422 if form.is_bound else 200), reverse("invitation_list")
    if form.is_valid():
        try:
            issued = invite_member(request.actor, **form.cleaned_data)
            return dialog(request, "invited", title=_("The invitation is ready"), back=back, issued=issued)
        except Invalid as error:
            status = refused(form, error)
    title, submit = _("Invite a member"), _("Make the link")
    return dialog(request, "form", title=title, back=back, form=form, submit=submit, status=status)


@require_POST
def invitation_revoke(request: Any, invitation_id: UUID) -> HttpResponse:
    """Stop a link from working."""
    revoke_invitation(request.actor, invitation_id=invitation_id)
    return done(request, reverse("invitation_list"), _("The invitation was withdrawn."))
