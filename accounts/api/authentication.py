"""Who calls the API: a key in `Authorization: Bearer …`, or a member's session."""

import hashlib
from typing import Any

from rest_framework.authentication import BaseAuthentication, CSRFCheck
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.actor import Actor
from accounts.models import ApiKey


def hash_of(key: str) -> str:
    """How a key is stored: SHA-256, since a key is random and long."""
    return hashlib.sha256(key.encode()).hexdigest()


class ApiKeyAuthentication(BaseAuthentication):
    """Bearer keys; a revoked, expired or unknown key is 401 (PL-7)."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        scheme, _space, key = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        found = (
            ApiKey.objects.usable()
            .select_related("member__user", "member__organisation")
            .filter(key_hash=hash_of(key.strip()))
            .first()
        )
        if found is None:
            raise AuthenticationFailed("The API key is not valid.")
        return found.member.user, Actor.of_key(found, address=request.META.get("REMOTE_ADDR", ""))

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class MemberSessionAuthentication(BaseAuthentication):
    """The console's session, with Django's check against cross-site requests."""

    def authenticate(self, request: Request) -> tuple[Any, Actor] | None:
        actor = getattr(request._request, "actor", None)
        if actor is None:
            return None
        check = CSRFCheck(lambda _request: None)
        check.process_request(request._request)
        reason = check.process_view(request._request, None, (), {})
        if reason:
            raise PermissionDenied(f"CSRF Failed: {reason}")
        return actor.member.user, actor


class HasActor(BasePermission):
    """Every endpoint needs somebody; what they may do is asked in the operation."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return isinstance(request.auth, Actor)
