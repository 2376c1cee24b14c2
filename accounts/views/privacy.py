"""Erasing a person and exporting a person's data (ACC-D36, ACC-D43)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access
from accounts.forms.erasing import ErasePersonForm
from accounts.jobs import person_request_job
from accounts.models import Member, PersonRequest
from accounts.operations.members import active_member
from accounts.operations.persons import ensure_person_of_member
from accounts.operations.privacy import erase_person, export_person, read_export
from accounts.permissions import Permission
from accounts.queries.members import what_leaving_changes
from accounts.queries.privacy import requests_shown
from accounts.views.answers import dialog, done
from core.jobs import enqueue


@require_safe
def person_request_list(request: Any) -> HttpResponse:
    """Erasures and exports asked for, with what they reached."""
    access.require(request.actor, Permission.PRIVACY_MANAGE)
    return render(request, "accounts/person_request_list.html", {"requests": requests_shown(request.actor)})


@require_http_methods(["GET", "POST"])
def member_erase(request: Any, member_id: UUID) -> HttpResponse:
    """Erase the person behind a member, after saying in numbers what that does."""
    access.require(request.actor, Permission.PRIVACY_MANAGE)
    member = active_member(request.actor, member_id)
    form = ErasePersonForm(request.POST if request.method == "POST" else None, member=member)
    if form.is_valid():
        asked = erase_person(request.actor, person_id=ensure_person_of_member(member).pk)
        return _started(request, asked, _("The erasure has begun. It ends with a report here."))
    context: dict[str, Any] = {"member": member, "leaving": what_leaving_changes(member), "erasing": True}
    title, back = _("Erase %(name)s?") % {"name": member}, reverse("member_list")
    context |= {"form": form, "status": 422 if form.is_bound else 200}
    return dialog(request, "leaving", title=title, back=back, submit=_("Erase person"), danger=True, **context)


@require_POST
def member_export(request: Any, member_id: UUID) -> HttpResponse:
    """Collect what is held of a member."""
    access.require(request.actor, Permission.PRIVACY_MANAGE)
    member = active_member(request.actor, member_id)
    return _started(request, _export(request, member), _("The data is being collected. It can be fetched here soon."))


@require_POST
def my_export(request: Any) -> HttpResponse:
    """Collect what is held of oneself."""
    _export(request, request.actor.member)
    return done(request, reverse("my_account"), _("Your data is being collected. It can be fetched here soon."))


@require_safe
def person_export_file(request: Any, request_id: UUID) -> HttpResponse:
    """A finished export as a JSON file."""
    response = HttpResponse(read_export(request.actor, request_id=request_id), content_type="application/json")
    response["Content-Disposition"] = 'attachment; filename="personal-data.json"'
    response["Cache-Control"] = "no-store"
    return response


def _export(request: Any, member: Member) -> PersonRequest:
    asked = export_person(request.actor, person_id=ensure_person_of_member(member).pk)
    enqueue(person_request_job, request_id=asked.pk)
    return asked


def _started(request: Any, asked: PersonRequest, message: str) -> HttpResponse:
    if asked.kind == PersonRequest.Kind.ERASURE:
        enqueue(person_request_job, request_id=asked.pk)
    return done(request, reverse("person_request_list"), message)
