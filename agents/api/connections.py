"""The endpoints of connections."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from agents.api.shapes import ConnectionIn, ConnectionOut, ConnectionPatch
from agents.operations.connections import add_connection, change_connection, remove_connection
from agents.queries.connections import connections_of, find_connection
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.paging import Order

OLDEST_FIRST = [Order("id")]


class ConnectionList(Endpoint):
    """All connections, and new ones."""

    @describe("Models", answer=ConnectionOut, query=KeysetQuery, paged="keyset", operation_id="connections_list")
    def get(self, request: Request) -> Response:
        """List the connections.

        The oldest first. Needs `connections:manage`.
        """
        return self.keyset(connections_of(self.actor), OLDEST_FIRST, self.query(KeysetQuery), ConnectionOut)

    @describe("Models", body=ConnectionIn, answer=ConnectionOut, status=201, etag=True)
    def post(self, request: Request) -> Response:
        """Connect a provider of models.

        Needs `connections:manage`. The key is stored encrypted and never given out again.
        """
        made = add_connection(self.actor, **self.read(ConnectionIn))
        return self.answer(made, ConnectionOut, status=201, location=reverse("api_connection", args=[made.pk]))


class ConnectionDetail(Endpoint):
    """One connection."""

    @describe("Models", answer=ConnectionOut, etag=True)
    def get(self, request: Request, connection_id: UUID) -> Response:
        """Read a connection."""
        return self.answer(find_connection(self.actor, connection_id), ConnectionOut)

    @describe("Models", body=ConnectionPatch, answer=ConnectionOut, etag=True)
    def patch(self, request: Request, connection_id: UUID) -> Response:
        """Change a connection.

        What is left out stays. A new address needs the key again.
        """
        self.require_match(find_connection(self.actor, connection_id, for_change=True), ConnectionOut)
        changed = change_connection(self.actor, connection_id=connection_id, changes=self.read(ConnectionPatch))
        return self.answer(changed, ConnectionOut)

    @describe("Models", status=204)
    def delete(self, request: Request, connection_id: UUID) -> Response:
        """Remove a connection with its key and its models."""
        remove_connection(self.actor, connection_id=connection_id)
        return Response(status=204)
