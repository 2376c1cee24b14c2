"""Coming in: the set-up page of an empty database, and the page behind an invitation's link (PL-1)."""

from typing import Any

from allauth.account.utils import perform_login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts.forms.joining import AcceptForm, SetUpForm
from accounts.middleware import ORGANISATION_IN_USE
from accounts.models import Invitation, Member
from accounts.operations.invitations import accept_invitation, usable_invitation
from accounts.operations.setup import set_up
from accounts.queries.joining import has_login
from accounts.queries.setup import is_set_up
from accounts.views.answers import refused
from core.errors import Conflict, Invalid, NotFound


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def set_up_page(request: HttpRequest) -> HttpResponse:
    """Make the first user and organisation; not there once somebody exists."""
    if is_set_up():
        raise NotFound
    form = SetUpForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            return _signed_in(request, set_up(**form.cleaned_data, address=_address(request)))
        except Invalid as error:
            status = refused(form, error)
    return render(request, "accounts/set_up.html", {"form": form}, status=status)


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def invitation_accept(request: HttpRequest, token: str) -> HttpResponse:
    """Join by a link: with name and password, or as who is signed in; who has a login already signs in first."""
    invitation = usable_invitation(token)
    form = AcceptForm(request.POST or None)
    if request.user.is_authenticated:
        return _accept_as_user(request, invitation, token)
    if has_login(invitation.email):
        return _page(request, invitation, status=200, ask_sign_in=True)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            member = accept_invitation(token=token, **form.cleaned_data, address=_address(request))
            return _signed_in(request, member)
        except Invalid as error:
            status = refused(form, error)
    return _page(request, invitation, form=form, status=status)


def _accept_as_user(request: Any, invitation: Invitation, token: str) -> HttpResponse:
    error = None
    if request.method == "POST":
        try:
            member = accept_invitation(token=token, user=request.user, address=_address(request))
            request.session[ORGANISATION_IN_USE] = str(member.organisation_id)
            return redirect("home")
        except Conflict as conflict:
            error = conflict
    matches = request.user.email == invitation.email
    return _page(request, invitation, status=409 if error else 200, error=error, matches=matches, as_user=True)


def _page(request: HttpRequest, invitation: Invitation, *, status: int, **context: Any) -> HttpResponse:
    # The address holds the secret; the project's Referrer-Policy, same-origin, keeps it from other sites. (The
    # stricter no-referrer would make browsers send "Origin: null" with the form, which the CSRF check refuses.)
    return render(request, "accounts/accept.html", {"invitation": invitation, **context}, status=status)


def _signed_in(request: Any, member: Member) -> HttpResponse:
    """Sign the new user in, in the new session that signing in makes, with the organisation in use."""
    response = perform_login(request, member.user, redirect_url=reverse("home"))
    request.session[ORGANISATION_IN_USE] = str(member.organisation_id)
    return response


def _address(request: HttpRequest) -> str:
    return str(request.META.get("REMOTE_ADDR", ""))
