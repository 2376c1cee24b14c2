"""One's own API keys, and everybody's for who manages members (PL-7)."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms.api_keys import ApiKeyForm
from accounts.operations.api_keys import issue_api_key, revoke_api_key
from accounts.queries.api_keys import offered_permissions, visible_key, visible_keys
from accounts.views.answers import dialog, done, refused
from core.errors import Invalid


@require_safe
def api_key_list(request: Any) -> HttpResponse:
    """The keys that the member may see, usable ones first."""
    return render(request, "accounts/api_key_list.html", {"keys": visible_keys(request.actor)})


@require_http_methods(["GET", "POST"])
def api_key_new(request: Any) -> HttpResponse:
    """Issue a key; the answer shows it, this once."""
    form = ApiKeyForm(request.POST or None, offered=offered_permissions(request.actor))
    status, back = (422 if form.is_bound else 200), reverse("api_key_list")
    if form.is_valid():
        try:
            issued = issue_api_key(request.actor, **form.wanted())
            return dialog(request, "issued_key", title=_("The key is ready"), back=back, issued=issued)
        except Invalid as error:
            status = refused(form, error)
    title, submit = _("New API key"), _("Create key")
    return dialog(request, "api_key", title=title, back=back, form=form, submit=submit, status=status)


@require_http_methods(["GET", "POST"])
def api_key_revoke(request: Any, key_id: UUID) -> HttpResponse:
    """Stop a key at once, after asking."""
    key, back = visible_key(request.actor, key_id), reverse("api_key_list")
    if request.method == "POST":
        revoke_api_key(request.actor, key_id=key_id)
        return done(request, back, _("The key %(name)s no longer works.") % {"name": key.name})
    title = _("Revoke the key %(name)s?") % {"name": key.name}
    return dialog(request, "revoke_key", title=title, back=back, key=key, submit=_("Revoke key"), danger=True)
