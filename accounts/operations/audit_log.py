"""Taking the audit log out, which is itself an entry of it (PL-8)."""

import json
from collections.abc import Iterator

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import AuditEntry
from accounts.permissions import Permission
from accounts.queries.audit import AuditFilter, entries, with_names

COLUMNS = ("at", "member", "api_key", "action", "object_type", "object_id", "object", "address", "details")
BATCH = 500


def export_audit_log(actor: Actor, wanted: AuditFilter) -> Iterator[list[str]]:
    """The head and the matching entries, oldest first, as rows of text; read in batches while they are sent.

    The export is logged before it begins. Raises `NotAllowed` without `audit:view`.
    """
    access.require(actor, Permission.AUDIT_VIEW)
    last = audit.record(actor, "audit.exported", filters=wanted.used())
    return _rows(actor, wanted, until=last.pk)


def _rows(actor: Actor, wanted: AuditFilter, *, until: int) -> Iterator[list[str]]:
    yield list(COLUMNS)
    after = 0
    while batch := list(entries(actor, wanted).filter(pk__gt=after, pk__lt=until).order_by("pk")[:BATCH]):
        for entry in with_names(batch):
            yield _row(entry)
        after = batch[-1].pk


def _row(entry: AuditEntry) -> list[str]:
    return [
        entry.at.isoformat(),
        str(entry.member) if entry.member else "",
        entry.api_key.prefix if entry.api_key else "",
        entry.action,
        entry.object_type,
        entry.object_id,
        entry.object_name,  # type: ignore[attr-defined]
        entry.address,
        json.dumps(entry.details, ensure_ascii=False, sort_keys=True),
    ]
