"""Who calls the API: a key in `Authorization: Bearer …`, or a member's session."""

import copy
import re
from typing import Any

from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.api.throttling import count_failed_authentication
from accounts.operations.credentials import recognise_key
from core.errors import NotAllowed

# RFC 6750, 2.1: the scheme in any case, one or more spaces, one token.
BEARER = re.compile(r"bearer +([A-Za-z0-9._~+/-]+=*) *", re.IGNORECASE)


class ApiKeyAuthentication(BaseAuthentication):
    """Bearer keys. A revoked, expired, unknown or malformed one is 401, also where a session is there too (PL-7)."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        sent = BEARER.fullmatch(header)
        key = recognise_key(sent[1]) if sent else None
        if key is None:
            count_failed_authentication(request)
            raise AuthenticationFailed(_("The API key is not valid."))
        return key.member.user, Actor.of_key(key, address=request.META.get("REMOTE_ADDR", ""))

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="Casebook"'


class MemberSessionAuthentication(BaseAuthentication):
    """The console's session. A write needs Django's token against cross-site requests in `X-CSRFToken`."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        actor = getattr(request._request, "actor", None)
        if actor is None:
            return None
        _require_csrf_token(request)
        return actor.member.user, actor


def _answer_nothing(*_args: Any) -> HttpResponse:
    return HttpResponse()


def _require_csrf_token(request: Request) -> None:
    """Django's own check on the header alone: looking for the token in a form would read the body unbounded."""
    headers_only = copy.copy(request._request)
    headers_only._post = QueryDict()  # type: ignore[attr-defined]
    check = CSRFCheck(_answer_nothing)
    check.process_request(headers_only)
    if check.process_view(headers_only, _answer_nothing, (), {}):
        raise NotAllowed(_("The token against cross-site requests is missing or wrong: send it in X-CSRFToken."))


class HasActor(BasePermission):
    """Every endpoint needs somebody; what they may do is asked in the operation."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, Actor)
