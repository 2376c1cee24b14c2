"""A person's own settings, the organisation's, and the table of permissions."""

from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access
from accounts.forms.settings import AccountForm, OrganisationForm
from accounts.middleware import ORGANISATION_IN_USE
from accounts.operations.organisations import create_organisation, rename_organisation
from accounts.operations.users import PREFERENCES, set_tour, update_preferences
from accounts.permissions import Permission, Role
from accounts.queries.members import membership_in, memberships
from accounts.queries.permissions import permission_table, role_rows
from accounts.queries.privacy import own_requests
from accounts.views.answers import dialog, done, refused
from core.errors import Invalid, NotAllowed


@require_http_methods(["GET", "POST"])
def my_account(request: Any) -> HttpResponse:
    """Name, language, look, and the ways to password, two-factor, sessions and keys."""
    user = request.user
    form = AccountForm(request.POST or None, initial={field: getattr(user, field) for field in PREFERENCES})
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            update_preferences(request.actor, **form.cleaned_data)
            return done(request, reverse("my_account"), _("Your settings were saved."))
        except Invalid as error:
            status = refused(form, error)
    context = {
        "form": form,
        "two_factor": is_mfa_enabled(user),
        "two_factor_offered": bool(settings.MFA_SUPPORTED_TYPES),
        "memberships": memberships(user),
        "exports": own_requests(request.actor),
    }
    return render(request, "accounts/my_account.html", context, status=status)


@require_POST
def my_preferences(request: Any) -> HttpResponse:
    """Theme or language from the rail's menu, and back to where one was."""
    chosen = {field: request.POST[field] for field in ("theme", "language") if field in request.POST}
    update_preferences(request.actor, **chosen)
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return redirect(back if is_ours else "my_account")


@require_POST
def my_tour(request: Any) -> HttpResponse:
    """Begin, finish or dismiss the guided tour (DS-D67); without a page to go back to, on to where it begins."""
    set_tour(request.actor, state=request.POST.get("state", ""))
    if request.headers.get("HX-Request") == "true":
        return HttpResponse(status=204)
    back = request.POST.get("next") or reverse("dataset_list")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return redirect(back if is_ours else "home")


@require_http_methods(["GET", "POST"])
def organisation(request: Any) -> HttpResponse:
    """The organisation's name and what it holds."""
    access.require(request.actor, Permission.ORGANISATION_MANAGE)
    form = OrganisationForm(request.POST or None, initial={"name": request.actor.organisation.name})
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            rename_organisation(request.actor, name=form.cleaned_data["name"])
            return done(request, reverse("organisation"), _("The organisation was saved."))
        except Invalid as error:
            status = refused(form, error)
    roles = role_rows(request.actor)
    return render(request, "accounts/organisation.html", {"form": form, "roles": roles}, status=status)


@require_POST
def organisation_switch(request: Any) -> HttpResponse:
    """Use another of one's organisations from now on; one that is not one's own does not exist (PL-2)."""
    member = membership_in(request.user, request.POST.get("organisation", ""))
    request.session[ORGANISATION_IN_USE] = str(member.organisation_id)
    return redirect("home")


@require_http_methods(["GET", "POST"])
def organisation_new(request: Any) -> HttpResponse:
    """Make another organisation and use it."""
    if request.actor.role is not Role.OWNER:
        raise NotAllowed(_("Only an Owner can make another organisation."))
    form = OrganisationForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        try:
            member = create_organisation(request.actor, name=form.cleaned_data["name"])
            request.session[ORGANISATION_IN_USE] = str(member.organisation_id)
            return done(request, reverse("home"), _("%(name)s is ready.") % {"name": member.organisation})
        except Invalid as error:
            status = refused(form, error)
    title, back = _("New organisation"), reverse("home")
    return dialog(request, "form", title=title, back=back, form=form, submit=_("Create organisation"), status=status)


@require_safe
def permission_list(request: Any) -> HttpResponse:
    """What each role may do, read from the one table."""
    context = {"table": permission_table(), "roles": role_rows(request.actor)}
    return render(request, "accounts/permission_list.html", context)
