"""Issuing and revoking API keys (PL-7, ACC-D12)."""

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import ApiKey, shared_models
from accounts.operations.naming import clean_name
from accounts.permissions import Permission
from core.errors import Invalid, NotAllowed, NotFound, Problem

PREFIX_CHARACTERS = 12


@dataclass(frozen=True)
class IssuedKey:
    """A key with its secret, `raw`, which is known now and never again."""

    api_key: ApiKey
    raw: str


def hash_of_key(raw: str) -> str:
    """How a key is stored: SHA-256, since a key is random and long."""
    return hashlib.sha256(raw.encode("utf-8", "replace")).hexdigest()


@transaction.atomic
def issue_api_key(
    actor: Actor, *, name: str, permissions: Iterable[str] | None = None, expires_at: datetime | None = None
) -> IssuedKey:
    """Make a key that acts as the acting member, restricted to `permissions` where they are given.

    Asked for by a key, the new one gets neither more permissions nor more time than that key. Raises `NotAllowed` for
    the system, `Invalid` naming `name`, `permissions.<index>` or `expires_at`.
    """
    if actor.member is None:
        raise NotAllowed
    raw = f"cbk_{secrets.token_urlsafe(32)}"
    key = ApiKey.objects.create(
        member=actor.member,
        name=clean_name(name),
        prefix=raw[:PREFIX_CHARACTERS],
        key_hash=hash_of_key(raw),
        permissions=_permissions(actor, permissions),
        expires_at=_expiry(actor, expires_at),
        issued_through=actor.key,
    )
    restricted = None if key.permissions is None else len(key.permissions)
    audit.record(actor, "api_key.issued", key, permissions=restricted, expires=bool(key.expires_at))
    return IssuedKey(key, raw)


@transaction.atomic
def revoke_api_key(actor: Actor, *, key_id: UUID) -> ApiKey:
    """Stop a key, and those that it issued, at once; a second time changes nothing. Raises `NotFound`.

    One's own, or anybody's with `members:manage`; the keys of others are not to be known otherwise.
    """
    visible = ApiKey.objects.visible_to(actor).select_for_update(no_key=True, of=("self",))
    key = visible.filter(pk=key_id).first()
    if key is None:
        raise NotFound
    if key.revoked_at is None:
        count = _revoke(key)
        audit.record(actor, "api_key.revoked", key, keys=count)
    return key


def _revoke(key: ApiKey) -> int:
    key.revoked_at = timezone.now()
    key.save(update_fields=["revoked_at"])
    return 1 + sum(_revoke(child) for child in key.issued.filter(revoked_at=None))


def _permissions(actor: Actor, wanted: Iterable[str] | None) -> list[str] | None:
    if wanted is None:
        return None if actor.key is None else actor.key.permissions
    names = list(dict.fromkeys(wanted))
    if not names:
        raise Invalid.at("permissions", _("Choose at least one permission."))
    problems = [
        Problem(f"permissions.{index}", _("You do not have this permission, so the key cannot."))
        for index, name in enumerate(names)
        if not _has(actor, name)
    ]
    if problems:
        raise Invalid(problems)
    return names


def _has(actor: Actor, name: str) -> bool:
    """By the role, or by a grant on some object; either way the key acts with no more than that."""
    if name not in Permission.__members__.values():
        return False
    permission = Permission(name)
    return access.may(actor, permission) or _granted_somewhere(actor, permission)


def _granted_somewhere(actor: Actor, permission: Permission) -> bool:
    models = [
        model for model in shared_models() if permission in (model.permission_to("view"), model.permission_to("edit"))
    ]
    return any(model._default_manager.all().allowed(actor, permission).exists() for model in models)  # type: ignore[attr-defined]


def _expiry(actor: Actor, wanted: datetime | None) -> datetime | None:
    most = actor.key.expires_at if actor.key else None
    if wanted is None:
        return most
    if timezone.is_naive(wanted):
        raise Invalid.at("expires_at", _("Give the time with its time zone."))
    if wanted <= timezone.now():
        raise Invalid.at("expires_at", _("Choose a time that is still to come."))
    if most is not None and wanted > most:
        raise Invalid.at("expires_at", _("The key cannot outlive the key that asks for it."))
    return wanted
