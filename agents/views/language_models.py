"""Adding a model to a connection, changing, trying and removing it (PL-20)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.views.answers import done, refused
from agents.forms.connections import ModelForm
from agents.operations.language_models import add_model, change_model, remove_model
from agents.operations.trials import try_model
from agents.queries.connections import find_connection
from agents.queries.language_models import find_managed_model
from agents.queries.model_users import agents_asking
from agents.views.dialogs import dialog
from core.errors import Invalid


@require_http_methods(["GET", "POST"])
def model_new(request: Any, connection_id: UUID) -> HttpResponse:
    """Offer another model through a connection that stands."""
    connection = find_connection(request.actor, connection_id)
    form = ModelForm(request.POST or None)
    if form.is_valid():
        try:
            model = add_model(request.actor, connection_id=connection_id, **form.cleaned_data)
        except Invalid as error:
            refused(form, error)
        else:
            return done(request, reverse("connection_list"), _("%(model)s is there. Try it.") % {"model": model.label})
    title = _("Add a model of %(connection)s") % {"connection": connection.name}
    return dialog(request, "model", title=title, form=form, submit=_("Add model"), wide=True)


@require_http_methods(["GET", "POST"])
def model_edit(request: Any, model_id: UUID) -> HttpResponse:
    """Change a model's names, prices and abilities."""
    model = find_managed_model(request.actor, model_id)
    form = ModelForm.of(model, request.POST or None)
    if form.is_valid():
        try:
            change_model(request.actor, model_id=model_id, changes=form.cleaned_data)
        except Invalid as error:
            refused(form, error)
        else:
            return done(request, reverse("connection_list"), _("The model is saved."))
    return dialog(request, "model", title=_("Edit model"), form=form, submit=_("Save"), wide=True)


@require_http_methods(["GET", "POST"])
def model_remove(request: Any, model_id: UUID) -> HttpResponse:
    """Offer a model no more, after asking."""
    model = find_managed_model(request.actor, model_id)
    if request.method == "POST":
        remove_model(request.actor, model_id=model_id)
        return done(request, reverse("connection_list"), _("“%(name)s” is removed.") % {"name": model.label})
    title = _("Remove “%(name)s”?") % {"name": model.label}
    users = agents_asking(request.actor, [model.id_text])
    return dialog(request, "remove_model", title=title, users=users, submit=_("Remove model"), danger=True)


@require_POST
def model_try(request: Any, model_id: UUID) -> HttpResponse:
    """One small call: the answer, or the exact error."""
    trial = try_model(request.actor, model_id=model_id)
    title = _("Trying %(model)s") % {"model": trial.model.label}
    return dialog(request, "trial", title=title, trial=trial)
