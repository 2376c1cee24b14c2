"""Reading the audit log: filters, and the names that entries are shown with (PL-8)."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import ApiKey, AuditEntry, Invitation, Member, Person, User

# Entries on these carry no name of their own: the row is asked, so that an erasure reaches what the log shows.
NAMED_BY_ROW: dict[str, Any] = {
    "member": Member.objects.select_related("user"),
    "user": User.objects.all(),
    "invitation": Invitation.objects.all(),
    "apikey": ApiKey.objects.all(),
    "person": Person.objects.select_related("member__user"),
}


@dataclass(frozen=True)
class AuditFilter:
    """What to look for. `object` is an object's id, or a part of its name; `since` and `until` are whole days."""

    action: str = ""
    member_id: UUID | None = None
    object: str = ""
    since: date | None = None
    until: date | None = None

    def used(self) -> list[str]:
        """The names of the filters that are set."""
        return [name for name, value in vars(self).items() if value]


def entries(actor: Actor, wanted: AuditFilter | None = None) -> QuerySet[AuditEntry]:
    """The entries of the actor's organisation that match, with who did it; order and paging are the caller's."""
    found = AuditEntry.objects.of(actor).select_related("member__user", "api_key")
    if wanted is None:
        return found
    if wanted.action:
        found = found.filter(action=wanted.action)
    if wanted.member_id:
        found = found.filter(member_id=wanted.member_id)
    if wanted.object:
        found = found.filter(Q(object_id=wanted.object) | Q(object_label__icontains=wanted.object))
    if wanted.since:
        found = found.filter(at__gte=_midnight(wanted.since))
    if wanted.until and wanted.until < date.max:
        found = found.filter(at__lt=_midnight(wanted.until + timedelta(days=1)))
    return found


def actions_logged(actor: Actor) -> list[str]:
    """The actions that the organisation's log holds."""
    return list(AuditEntry.objects.of(actor).order_by("action").values_list("action", flat=True).distinct())


def with_names(rows: Iterable[AuditEntry]) -> list[AuditEntry]:
    """The entries with `object_name`: the name then, or for rows that name a person the name now; a query a kind."""
    rows = list(rows)
    names: dict[tuple[str, str], str] = {}
    for kind, things in NAMED_BY_ROW.items():
        ids = {row.object_id for row in rows if row.object_type == kind}
        if ids:
            names |= {(kind, str(thing.pk)): str(thing) for thing in things.filter(pk__in=ids)}
    for row in rows:
        row.object_name = row.object_label or names.get((row.object_type, row.object_id), "")  # type: ignore[attr-defined]
    return rows


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))
