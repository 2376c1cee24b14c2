"""Makes `request.actor`: the member of the organisation in use, or None where nobody is signed in (PL-2)."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.actor import Actor
from accounts.queries.members import membership_in_use

ORGANISATION_IN_USE = "organisation"


class ActorMiddleware:
    """Reads the organisation in use from the session; a membership that ended gives way to another or to none."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: Any) -> HttpResponse:
        request.actor = None
        if request.user.is_authenticated:
            wanted = request.session.get(ORGANISATION_IN_USE)
            member = membership_in_use(request.user, wanted)
            if member is not None:
                request.actor = Actor.of_member(member, address=request.META.get("REMOTE_ADDR", ""))
                if str(member.organisation_id) != wanted:
                    request.session[ORGANISATION_IN_USE] = str(member.organisation_id)
        return self.get_response(request)
