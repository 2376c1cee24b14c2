"""How the views of connections and models show a dialog."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.views import answers


def dialog(request: HttpRequest, body: str, *, title: str, form: Any = None, **context: Any) -> HttpResponse:
    """`body`, a template of agents/dialogs, in the standing dialog for htmx, else as a page; a refused form is 422."""
    status = 422 if form is not None and form.is_bound else 200
    back = reverse("connection_list")
    return answers.dialog(request, body, title=title, back=back, app="agents", status=status, form=form, **context)
