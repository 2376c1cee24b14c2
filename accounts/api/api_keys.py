"""API keys, one's own or, with `members:manage`, everybody's."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from accounts.api.serializers import ApiKeyIn, ApiKeyOut, IssuedKeyOut
from accounts.operations.api_keys import issue_api_key, revoke_api_key
from accounts.queries.api_keys import visible_keys
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.paging import Order

NEWEST_FIRST = [Order("created_at", descending=True), Order("id", descending=True)]


class ApiKeyList(Endpoint):
    @describe("API keys", answer=ApiKeyOut, query=KeysetQuery, paged="keyset")
    def get(self, request: Request) -> Response:
        """The keys that the caller may know of, newest first, revoked and expired ones too."""
        return self.keyset(visible_keys(self.actor), NEWEST_FIRST, self.query(KeysetQuery), ApiKeyOut)

    @describe("API keys", body=ApiKeyIn, answer=IssuedKeyOut, status=201)
    def post(self, request: Request) -> Response:
        """Issue a key that acts as the caller.

        `key` in the answer is the secret, shown here and never again. A key issued by a key gets neither more
        permissions nor more time than that one.
        """
        issued = issue_api_key(self.actor, **self.read(ApiKeyIn))
        where = reverse("api_api_key", args=[issued.api_key.pk])
        return self.answer(issued, IssuedKeyOut, status=201, location=where)


class ApiKeyDetail(Endpoint):
    @describe("API keys", status=204)
    def delete(self, request: Request, key_id: UUID) -> Response:
        """Revoke a key, and those that were issued by it, at once."""
        revoke_api_key(self.actor, key_id=key_id)
        return Response(status=204)
