"""Models and the connections to their providers (PL-20, DS-21)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access
from accounts.permissions import Permission
from accounts.views.answers import done, refused
from agents.forms.connections import ConnectionForm, NewConnectionForm
from agents.operations.connections import change_connection, remove_connection
from agents.operations.language_models import connect_with_model
from agents.queries.connections import connections_of, find_connection
from agents.queries.model_users import agents_asking
from agents.views.dialogs import dialog
from core.errors import Invalid


@require_safe
def connection_list(request: Any) -> HttpResponse:
    """Every connection with its models."""
    return render(request, "agents/connection_list.html", {"connections": connections_of(request.actor)})


@require_http_methods(["GET", "POST"])
def connection_new(request: Any) -> HttpResponse:
    """Provider, model and key in one form (DS-21)."""
    access.require(request.actor, Permission.CONNECTIONS_MANAGE)
    form = NewConnectionForm(request.POST or None)
    if form.is_valid():
        try:
            model = connect_with_model(request.actor, connection=form.connection(), model=form.model())
        except Invalid as error:
            refused(form, error)
        else:
            return done(request, reverse("connection_list"), _("%(model)s is there. Try it.") % {"model": model.label})
    return dialog(request, "new_connection", title=_("Add model"), form=form, submit=_("Add model"), wide=True)


@require_http_methods(["GET", "POST"])
def connection_edit(request: Any, connection_id: UUID) -> HttpResponse:
    """Change where a connection leads, and its key."""
    connection = find_connection(request.actor, connection_id)
    form = ConnectionForm.of(connection, request.POST or None)
    if form.is_valid():
        try:
            change_connection(request.actor, connection_id=connection_id, changes=form.changes())
        except Invalid as error:
            refused(form, error)
        else:
            return done(request, reverse("connection_list"), _("The connection is saved."))
    return dialog(request, "connection", title=_("Edit connection"), form=form, submit=_("Save"))


@require_http_methods(["GET", "POST"])
def connection_remove(request: Any, connection_id: UUID) -> HttpResponse:
    """Take a connection away, after saying what goes with it."""
    connection = find_connection(request.actor, connection_id)
    if request.method == "POST":
        remove_connection(request.actor, connection_id=connection_id)
        return done(request, reverse("connection_list"), _("“%(name)s” is removed.") % {"name": connection.name})
    title = _("Remove “%(name)s”?") % {"name": connection.name}
    models = [str(model.pk) for model in connection.models.all()]
    context = {"count": len(models), "users": agents_asking(request.actor, models)}
    submit = _("Remove connection")
    return dialog(request, "remove_connection", title=title, submit=submit, danger=True, **context)
