"""Writing to the audit log: `record`, called inside the transaction of the act it describes (PL-8)."""

from typing import Any

from django.db import models

from accounts.actor import Actor
from accounts.models import AuditEntry
from core.limits import LIMITS


def record(actor: Actor, action: str, thing: models.Model | None = None, **details: Any) -> AuditEntry:
    """Add one entry: the actor did `action` (noun.past_tense) to `thing`.

    `details` are counts, ids and names of changed fields; never case text, answers, secrets or hidden values.
    """
    return AuditEntry.objects.create(
        organisation=actor.organisation,
        member=actor.member,
        api_key=actor.key,
        action=action,
        object_type=thing._meta.model_name or "" if thing is not None else "",
        object_id=str(thing.pk) if thing is not None else "",
        object_label=str(thing)[: LIMITS.name_characters] if thing is not None else "",
        address=actor.address,
        details=details,
    )
