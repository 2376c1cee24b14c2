"""Console views' way out: the page or, for htmx, its named part; and what happened, as an event for the page."""

import json
from enum import StrEnum
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers


class Event(StrEnum):
    """What may have happened, in the past tense; parts of pages listen with `hx-trigger="… from:body"`."""

    MESSAGE_SHOWN = "message-shown"
    DIALOG_CLOSED = "dialog-closed"
    MEMBERS_CHANGED = "members-changed"
    API_KEYS_CHANGED = "api-keys-changed"
    DATASET_CHANGED = "dataset-changed"
    CASES_CHANGED = "cases-changed"
    CASE_SAVED = "case-saved"
    FORM_SAVED = "form-saved"
    MODEL_ADDED = "model-added"
    MASK_CHANGED = "mask-changed"


def respond(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    part: str,
    status: int = 200,
) -> HttpResponse:
    """Render `template`, or only its partial `part` where htmx asks for one (and is not restoring history).

    Every answer says that it depends on the header, so no cache hands a part to somebody who asked for the page.
    """
    htmx = request.headers.get("HX-Request") == "true" and not request.headers.get("HX-History-Restore-Request")
    boosted = request.headers.get("HX-Boosted") == "true"
    name = f"{template}#{part}" if htmx and not boosted else template
    response = render(request, name, context, status=status)
    patch_vary_headers(response, ["HX-Request"])
    return response


def announce(response: HttpResponse, event: Event, detail: dict[str, Any] | None = None) -> HttpResponse:
    """Add an event to the response's `HX-Trigger`; htmx fires it on the page after the swap."""
    events = json.loads(response.get("HX-Trigger", "{}"))
    events[event.value] = detail or {}
    response["HX-Trigger"] = json.dumps(events)
    return response
