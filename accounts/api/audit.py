"""The audit log."""

from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import access
from accounts.actor import Actor
from accounts.api.endpoint import Endpoint
from accounts.api.serializers import AuditEntryOut, AuditQuery
from accounts.models import AuditEntry
from accounts.permissions import Permission
from accounts.queries.audit import AuditFilter, entries, with_names
from core.api.schema import describe
from core.paging import Order

NEWEST_FIRST = [Order("at", descending=True), Order("id", descending=True)]


class AuditList(Endpoint):
    @describe("Audit", answer=AuditEntryOut, query=AuditQuery, paged="keyset")
    def get(self, request: Request) -> Response:
        """Who did what, newest first. Needs `audit:view`."""
        access.require(self.actor, Permission.AUDIT_VIEW)
        query = self.query(AuditQuery)
        return self.keyset(_wanted(self.actor, query), NEWEST_FIRST, query, AuditEntryOut, prepare=with_names)


def _wanted(actor: Actor, query: dict[str, Any]) -> QuerySet[AuditEntry]:
    """The console filters by whole days, the API by moments."""
    names = {"action": "action", "member": "member_id", "object": "object"}
    rows = entries(actor, AuditFilter(**{name: query[sent] for sent, name in names.items() if sent in query}))
    if "since" in query:
        rows = rows.filter(at__gte=query["since"])
    if "until" in query:
        rows = rows.filter(at__lt=query["until"])
    return rows
