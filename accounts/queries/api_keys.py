"""Reading API keys."""

from typing import Any
from uuid import UUID

from django.db.models import BooleanField, Case, Q, QuerySet, Value, When
from django.utils import timezone

from accounts import access
from accounts.actor import Actor
from accounts.models import ApiKey
from accounts.permissions import GIVEN_BY, Permission
from core.errors import NotFound


def visible_keys(actor: Actor) -> QuerySet[ApiKey]:
    """The keys that the actor may see (`ApiKeyQuerySet.visible_to`), each with `is_usable`; usable ones first."""
    ended = Q(revoked_at__isnull=False) | Q(expires_at__lte=timezone.now()) | Q(member__left_at__isnull=False)
    usable = Case(When(ended, then=Value(False)), default=Value(True), output_field=BooleanField())
    keys: Any = ApiKey.objects.visible_to(actor).annotate(is_usable=usable)
    return keys.order_by("-is_usable", "-created_at", "-pk")


def visible_key(actor: Actor, key_id: UUID) -> ApiKey:
    """One of them; raises `NotFound`."""
    key = ApiKey.objects.visible_to(actor).filter(pk=key_id).first()
    if key is None:
        raise NotFound
    return key


def offered_permissions(actor: Actor) -> list[Permission]:
    """The permissions a new key can be restricted to: those of the role, and those that a grant may give."""
    return [permission for permission in Permission if access.may(actor, permission) or permission in GIVEN_BY]
