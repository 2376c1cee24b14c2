"""The endpoints of a shared resource's grants and owner, for any kind (PL-5, ACC-13 to ACC-17, ACC-D5 to ACC-D8).

An app names the kind in its addresses: `GrantList.as_view(kind=Agent)`. The first id of the address is the thing's.
"""

from typing import Any
from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from accounts.api.serializers import GrantIn, GrantOut, OwnerIn
from accounts.models import SharedResource
from accounts.operations.sharing import share, transfer_ownership, unshare
from accounts.queries.sharing import find_shared, grant_of, grant_rows, grants_in_order, refuse_if_out_of_sight
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.paging import Order

OLDEST_FIRST = [Order("id")]


class SharedEndpoint(Endpoint):
    """An endpoint whose address begins with the id of a shared resource of this kind."""

    kind: type[SharedResource] = SharedResource  # type: ignore[type-abstract]  # each kind puts its model here

    @property
    def thing_id(self) -> UUID:
        """The first id of the address."""
        found: UUID = next(iter(self.kwargs.values()))
        return found

    def before_replay(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Who has lost sight of the thing is told nothing of it again (ACC-19, BC-47)."""
        refuse_if_out_of_sight(self.kind, self.actor, self.thing_id)

    def to_share(self) -> Any:
        """The thing for who may edit it: 404 and 403 before anything of the body is looked at."""
        return find_shared(self.kind, self.actor, self.thing_id, verb="edit")

    def hand_over(self) -> Any:
        """Make the member of the body its owner; for the endpoint of each kind, which says what it answers."""
        thing = find_shared(self.kind, self.actor, self.thing_id)
        return transfer_ownership(self.actor, thing, member_id=self.read(OwnerIn)["member"])


class GrantList(SharedEndpoint):
    """Who else it is shared with."""

    grant_name: str = ""

    @describe("Sharing", answer=GrantOut, query=KeysetQuery, paged="keyset")
    def get(self, request: Request, **ids: UUID) -> Response:
        """List the grants, oldest first.

        Needs the permission to edit it. A grant of an earlier level that no longer gives anything has `effective`
        false.
        """
        thing = self.to_share()

        def completed(rows: list[Any]) -> list[Any]:
            return list(grant_rows(thing, rows))

        return self.keyset(grants_in_order(thing), OLDEST_FIRST, self.query(KeysetQuery), GrantOut, prepare=completed)

    @describe("Sharing", body=GrantIn, answer=GrantOut, status=201)
    def post(self, request: Request, **ids: UUID) -> Response:
        """Share it with a member.

        Takes the place of an earlier grant to the same member. Needs the permission to edit it.
        """
        thing = self.to_share()
        sent = self.read(GrantIn)
        share(self.actor, thing, member_id=sent["member"], level=sent["level"])
        grant = grant_of(thing, UUID(sent["member"]))
        where = reverse(self.grant_name, args=[self.thing_id, grant.member.pk])
        return self.answer(grant, GrantOut, status=201, location=where)


class GrantDetail(SharedEndpoint):
    """One member's grant."""

    @describe("Sharing", answer=GrantOut, etag=True)
    def get(self, request: Request, member_id: UUID, **ids: UUID) -> Response:
        """Read the grant of a member."""
        return self.answer(grant_of(self.to_share(), member_id), GrantOut)

    @describe("Sharing", status=204)
    def delete(self, request: Request, member_id: UUID, **ids: UUID) -> Response:
        """Take a member's grant away, one without effect too."""
        unshare(self.actor, self.to_share(), member_id=member_id)
        return Response(status=204)
