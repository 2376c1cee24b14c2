"""Adding, changing, testing and removing connections to providers of models (PL-20)."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.operations.naming import clean_name, is_text
from accounts.permissions import Permission
from agents.logic.targets import Provider
from agents.models import Connection
from agents.queries.connections import find_connection
from core.errors import Invalid, Problem
from core.limits import LIMITS

WORDS = ("name", "provider", "base_url", "api_version")
RATES = ("requests_a_minute", "tokens_a_minute")
FIELDS = WORDS + RATES


@transaction.atomic
def add_connection(
    actor: Actor,
    *,
    name: str,
    provider: str,
    base_url: str = "",
    api_version: str = "",
    key: str = "",
    requests_a_minute: int | None = None,
    tokens_a_minute: int | None = None,
) -> Connection:
    """Connect a provider. Raises `NotAllowed` without `connections:manage`, `Invalid` at each wrong field."""
    access.require(actor, Permission.CONNECTIONS_MANAGE)
    given: dict[str, Any] = {"name": name, "provider": provider, "base_url": base_url, "api_version": api_version}
    given |= {"requests_a_minute": requests_a_minute, "tokens_a_minute": tokens_a_minute}
    connection = Connection(organisation=actor.organisation, **_checked(given, key))
    connection.set_key(key.strip())
    connection.save()
    audit.record(actor, "connection.added", connection, provider=provider)
    return connection


@transaction.atomic
def change_connection(actor: Actor, *, connection_id: UUID, changes: Mapping[str, Any]) -> Connection:
    """Change what is given, the rest stays; `key` replaces the key, and an empty one takes it away.

    A new address takes the stored key with it only where a key is given too: else whoever may change the address could
    have the key sent to a server of their own. Raises `NotFound`, `NotAllowed`, `Invalid`.
    """
    connection = find_connection(actor, connection_id, for_change=True)
    before = {name: getattr(connection, name) for name in FIELDS}
    wanted = _checked(before | {name: changes[name] for name in FIELDS if name in changes}, changes.get("key", ""))
    if "key" not in changes and connection.has_key and _goes_elsewhere(before, wanted):
        raise Invalid.at("key", _("Enter the key again: it goes to another address than before."))
    changed = [name for name in FIELDS if wanted[name] != before[name]]
    for name in changed:
        setattr(connection, name, wanted[name])
    if "key" in changes:
        connection.set_key(changes["key"].strip())
        changed.append("key")
    if changed:
        connection.save()
        audit.record(actor, "connection.changed", connection, fields=sorted(changed))
    return connection


@transaction.atomic
def remove_connection(actor: Actor, *, connection_id: UUID) -> None:
    """Take a connection away with its key and its models. Raises `NotFound`, `NotAllowed`."""
    connection = find_connection(actor, connection_id, for_change=True)
    audit.record(actor, "connection.removed", connection, models=connection.models.count())
    connection.delete()


def _goes_elsewhere(before: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return any(before[name] != wanted[name] for name in ("provider", "base_url"))


def _checked(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The values as they are stored. Raises `Invalid` with every problem."""
    values = {name: given[name].strip() for name in WORDS} | {name: given[name] for name in RATES}
    problems: list[Problem] = []
    try:
        values["name"] = clean_name(values["name"])
    except Invalid as error:
        problems += error.problems
    if values["provider"] not in list(Provider):
        problems.append(Problem("provider", _("Choose a provider.")))
    problems += _address_problems(values)
    problems += [
        Problem(name, _("A whole number from 1 to %(most)s.") % {"most": LIMITS.rate_a_minute})
        for name in RATES
        if values[name] is not None and not 1 <= values[name] <= LIMITS.rate_a_minute
    ]
    if len(key) > LIMITS.key_characters or not is_text(key) or not key.isascii():
        problems.append(Problem("key", _("This is no key: it holds characters that a key cannot have.")))
    if problems:
        raise Invalid(problems)
    return values


def _address_problems(values: Mapping[str, str]) -> list[Problem]:
    provider, address = values["provider"], values["base_url"]
    if len(values["api_version"]) > LIMITS.api_version_characters or not is_text(values["api_version"]):
        return [Problem("api_version", _("This is no API version."))]
    if provider == Provider.AZURE and not values["api_version"]:
        return [Problem("api_version", _("Azure needs the API version, such as 2024-10-21."))]
    if provider == Provider.OPENAI and not address:
        return []
    if not address:
        return [Problem("base_url", _("Enter the address of the endpoint."))]
    if len(address) > LIMITS.url_characters or not is_text(address) or not _is_web_address(address):
        words = _("Enter an address that begins with https:// or http://, without user name, query or fragment.")
        return [Problem("base_url", words)]
    return []


def _is_web_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - raises where it is none
    except ValueError:
        return False
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    return parts.scheme in ("https", "http") and bool(parts.hostname) and plain and " " not in address
