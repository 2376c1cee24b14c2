"""How accounts' views answer: a dialog (a page of its own without JavaScript), and what follows a finished act."""

from typing import Any

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.forms.problems import show
from core.errors import DomainError
from core.pages import respond


def dialog(
    request: HttpRequest, body: str, *, title: str, back: str, app: str = "accounts", status: int = 200, **context: Any
) -> HttpResponse:
    """`body`, a template of the app's dialogs, in the standing dialog for htmx, else in a page with a way `back`.

    Further context: `form`, `submit` (the button's words; none without it), `danger`, `wide`.
    """
    context |= {"body": f"{app}/dialogs/{body}.html", "title": title, "back": back}
    response = respond(request, "accounts/dialog.html", context, part="dialog", status=status)
    response["Cache-Control"] = "no-store"
    return response


def refused(form: BaseForm, error: DomainError) -> int:
    """Show the error in the form; the status of the answer that shows it again."""
    show(form, error)
    return 422


def done(request: HttpRequest, to: str, message: str = "") -> HttpResponse:
    """Go to the page `to`, which says the message; for htmx the whole page goes."""
    if message:
        messages.success(request, message)
    if request.headers.get("HX-Request") != "true":
        return redirect(to)
    response = HttpResponse(status=204)
    response["HX-Redirect"] = to
    return response
