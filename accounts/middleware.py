"""Who asks, before any view: set-up of an empty database, the actor, the gate of the console, the user's language."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.actor import Actor
from accounts.queries.members import membership_in_use
from accounts.queries.setup import is_set_up
from core.errors import Conflict
from core.views.errors import domain_error_page

GetResponse = Callable[[HttpRequest], HttpResponse]
ORGANISATION_IN_USE = "organisation"

# These check who asks by themselves: API authentication, Django's admin, django-allauth, load balancers' questions.
SELF_GUARDED = ("/api/", "/admin/", "/account/", "/healthz", "/readyz", "/ui/")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


class SetUpMiddleware:
    """Sends every page of an empty database to the set-up page (PL-1)."""

    NEEDED = ("/setup/", "/healthz", "/readyz", "/api/", "/ui/", "/static/")

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated or request.path.startswith(self.NEEDED) or is_set_up():
            return self.get_response(request)
        return redirect("set_up")


class ActorMiddleware:
    """Makes `request.actor`: the member of the organisation in use; None where nobody is signed in (PL-2).

    Every console view runs with an actor: without one a visitor goes to the sign-in page. `login_not_required` opens
    a view to everybody.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        request.actor = None
        request.lost_organisation = False
        if request.user.is_authenticated:
            wanted = request.session.get(ORGANISATION_IN_USE)
            member = membership_in_use(request.user, wanted)
            found = str(member.organisation_id) if member else None
            if member is not None:
                request.actor = Actor.of_member(member, address=request.META.get("REMOTE_ADDR", ""))
            request.lost_organisation = wanted is not None and found != wanted
            if request.lost_organisation and request.path.startswith("/api/") and request.method not in SAFE_METHODS:
                request.actor = None
            if found is not None and found != wanted:
                request.session[ORGANISATION_IN_USE] = found
        is_signed_in = request.user.is_authenticated  # asked now: the API takes its own view of the user
        response = self.get_response(request)
        if is_signed_in:
            # Views that need more, such as no-store for case text, have said so.
            response.headers.setdefault("Cache-Control", "private, no-cache")
        return response

    def process_view(self, request: Any, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        if request.path.startswith(SELF_GUARDED) or not getattr(view, "login_required", True):
            return None
        if not request.user.is_authenticated:
            return _to_sign_in(request)
        if request.actor is None:
            return render(request, "accounts/no_organisation.html", status=403)
        if request.lost_organisation and request.method not in SAFE_METHODS:
            # What was sent was meant for an organisation that this person has left: it must not land in another.
            message = _("You are no longer a member of that organisation. Nothing was saved.")
            return domain_error_page(request, Conflict("organisation_left", message))
        return None


class LanguageMiddleware:
    """The language that the user chose, in place of the one the browser asks for (PL-53)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        chosen = getattr(request.user, "language", "")
        if chosen:
            translation.activate(chosen)
            request.LANGUAGE_CODE = translation.get_language()
        return self.get_response(request)


def _to_sign_in(request: HttpRequest) -> HttpResponse:
    """The sign-in page, which comes back here; a part of a page takes the whole page along."""
    sign_in = resolve_url("account_login")
    if request.headers.get("HX-Request") != "true":
        return redirect_to_login(request.get_full_path(), sign_in)
    response = HttpResponse(status=401)
    response["HX-Redirect"] = sign_in
    return response
