"""The audit log."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from accounts.api.serializers import AuditEntryOut, AuditQuery
from accounts.queries.audit import AuditFilter, entries
from core.api.schema import describe
from core.paging import Order

NEWEST_FIRST = [Order("at", descending=True), Order("id", descending=True)]


class AuditList(Endpoint):
    @describe("Audit", answer=AuditEntryOut, query=AuditQuery, paged="keyset")
    def get(self, request: Request) -> Response:
        """Who did what, newest first. Needs `audit:view`."""
        query = self.query(AuditQuery)
        return self.keyset(entries(self.actor, _filter_of(query)), NEWEST_FIRST, query, AuditEntryOut)


def _filter_of(query: dict[str, Any]) -> AuditFilter:
    names = {"action": "action", "member": "member_id", "object": "object_id", "since": "since", "until": "until"}
    return AuditFilter(**{name: query[sent] for sent, name in names.items() if sent in query})
