"""The page of an organisation's budget and retention (PL-25, PL-34)."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import access, retention
from accounts.forms.organisation_limits import LimitsForm
from accounts.operations.organisation_limits import change_organisation_limits
from accounts.permissions import Permission
from accounts.queries.organisations import organisation_in_use
from accounts.views.answers import done, refused
from core.errors import Invalid


@require_http_methods(["GET", "POST"])
def organisation_limits(request: Any) -> HttpResponse:
    """Show and change both; where conversations would be deleted, their number is said and asked about first."""
    access.require(request.actor, Permission.ORGANISATION_MANAGE)
    organisation = organisation_in_use(request.actor)
    days = organisation.retention_days
    kept = {"monthly_budget": organisation.monthly_budget, "retention_days": days}
    form = LimitsForm(request.POST or None, initial=kept)
    past = retention.conversations_past(organisation, days) if days else 0
    going = 0
    status = 422 if form.is_bound else 200
    if form.is_valid():
        going = _going(form, organisation)
        if not going or form.cleaned_data["confirmed"]:
            try:
                change_organisation_limits(request.actor, changes=form.limits())
                return done(request, reverse("organisation_limits"), _("Budget and retention were saved."))
            except Invalid as error:
                status = refused(form, error)
    context = {"form": form, "going": going, "past": past, "kept": kept}
    return render(request, "accounts/organisation_limits.html", context, status=status)


def _going(form: LimitsForm, organisation: Any) -> int:
    """How many conversations the new number of days would delete."""
    if not form.shortens(organisation.retention_days):
        return 0
    return retention.conversations_past(organisation, form.cleaned_data["retention_days"])
