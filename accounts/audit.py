"""Writing to the audit log: `record`, called inside the transaction of the act it describes (PL-8)."""

from collections.abc import Iterable
from typing import Any

from django.db import models

from accounts.actor import Actor
from accounts.models import AuditEntry
from core.limits import LIMITS


def record(actor: Actor, action: str, thing: models.Model | None = None, **details: Any) -> AuditEntry:
    """Add one entry: the actor did `action` (noun.past_tense) to `thing`.

    `details` are counts, ids and names of changed fields; never case text, answers, secrets or hidden values.
    """
    entry = _entry(actor, action, thing, details)
    entry.save()
    return entry


def record_each(actor: Actor, action: str, things: Iterable[models.Model], **details: Any) -> None:
    """Add one entry for each thing, so that the log of every one of them tells it."""
    AuditEntry.objects.bulk_create([_entry(actor, action, thing, details) for thing in things], batch_size=500)


def _entry(actor: Actor, action: str, thing: models.Model | None, details: dict[str, Any]) -> AuditEntry:
    entry = AuditEntry(
        organisation=actor.organisation,
        member=actor.member,
        api_key=actor.key,
        action=action,
        address=actor.address,
        details=details,
    )
    if thing is not None:
        entry.object_type = thing._meta.model_name or ""
        entry.object_id = str(thing.pk)
        entry.object_label = _label(thing)
    return entry


def _label(thing: models.Model) -> str:
    """The thing's name then. Rows that name a person have an empty one: pages ask the row, which an erasure reaches."""
    return str(getattr(thing, "audit_label", thing))[: LIMITS.name_characters]
