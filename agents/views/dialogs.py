"""How the views of connections and models show a dialog."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from core.pages import respond


def dialog(request: HttpRequest, body: str, *, title: str, form: Any = None, **context: Any) -> HttpResponse:
    """`body`, a template of agents/dialogs, in the standing dialog for htmx, else as a page; a refused form is 422."""
    context |= {"body": f"agents/dialogs/{body}.html", "title": title, "form": form, "back": reverse("connection_list")}
    status = 422 if form is not None and form.is_bound else 200
    response = respond(request, "accounts/dialog.html", context, part="dialog", status=status)
    response["Cache-Control"] = "no-store"
    return response
