"""Activity: the list of all runs with one in the side panel, and a run's page (PL-31)."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts import access
from accounts.permissions import Permission
from activity.forms.run_list import RunListState, list_query
from activity.logic.chat_shape import sent_run
from activity.operations.runs import delete_run
from activity.queries.run_messages import messages_of
from activity.queries.runs import find_run
from activity.views.run_context import list_context, notices, panel_context, run_context
from core.pages import respond


@require_safe
def run_list(request: Any) -> HttpResponse:
    """The runs, newest first; the table alone for a filter, the panel alone for a row."""
    access.require(request.actor, Permission.RUNS_VIEW)
    state = RunListState.of(request.GET)
    panel = panel_context(request, state)
    if request.headers.get("HX-Target") == "panel":
        return _unkept(render(request, "activity/run_panel.html", panel | {"state": state}))
    context = list_context(request, state) | panel | notices(request)
    return _unkept(respond(request, "activity/runs.html", context, part="table"))


@require_safe
def run(request: Any, run_id: UUID) -> HttpResponse:
    """One run as a page of its own."""
    found = find_run(request.actor, run_id)
    back = reverse("run_list") + (f"?{kept}" if (kept := list_query(request.GET)) else "")
    context = run_context(request, found) | notices(request) | {"back": back}
    return _unkept(render(request, "activity/run.html", context))


@require_safe
def run_json(request: Any, run_id: UUID) -> JsonResponse:
    """The run as `POST /api/v1/runs` takes it."""
    found = find_run(request.actor, run_id)
    sent = sent_run(found, messages_of(found))
    response = JsonResponse(sent, json_dumps_params={"ensure_ascii": False, "indent": 2})
    _unkept(response)
    return response


@require_http_methods(["GET", "POST"])
def run_delete(request: Any, run_id: UUID) -> HttpResponse:
    """Say in numbers what goes, then delete."""
    found = find_run(request.actor, run_id)
    access.require(request.actor, Permission.ORGANISATION_MANAGE)
    if request.method == "POST":
        delete_run(request.actor, run_id=run_id)
        messages.success(request, _("The run is deleted."))
        return HttpResponseClientRedirect(reverse("run_list")) if request.htmx else redirect("run_list")
    context = {"run": found, "told": messages_of(found)}
    return respond(request, "activity/run_delete.html", context, part="dialog")


def _unkept(response: HttpResponse) -> HttpResponse:
    """No cache keeps a page with what people said (ACC-D21)."""
    response["Cache-Control"] = "no-store"
    return response
