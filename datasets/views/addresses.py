"""Addresses of a dataset's page, with what its list shows kept."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect


def page_address(dataset_id: UUID, query: str = "", **parameters: object) -> str:
    """The dataset's page; `query` is the list's part of the address, `parameters` replace its own."""
    kept = QueryDict(query, mutable=True)
    for name in ("tab", "part", "view", "case"):
        kept.pop(name, None)
    for name, value in parameters.items():
        if value in (None, ""):
            kept.pop(name, None)
        else:
            kept[name] = str(value)
    text = kept.urlencode()
    return reverse("dataset", args=[dataset_id]) + (f"?{text}" if text else "")


def go_to(request: HttpRequest, address: str) -> HttpResponse:
    """A redirect that htmx follows too, as a whole page."""
    if request.headers.get("HX-Request") == "true":
        return HttpResponseClientRedirect(address)
    return redirect(address)


def wants_panel(request: HttpRequest) -> bool:
    return request.headers.get("HX-Target") == "panel"


def unkept(response: HttpResponse) -> HttpResponse:
    """No cache keeps a page with case text (ACC-D21)."""
    response["Cache-Control"] = "no-store"
    return response


def id_or_none(text: str | None) -> UUID | None:
    """The id that an address names, or None where it is none."""
    try:
        return UUID(text) if text else None
    except ValueError:
        return None
