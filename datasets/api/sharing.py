"""The endpoints of a dataset's grants and owner (ACC-13 to ACC-17, ACC-D5 to ACC-D8)."""

from typing import Any
from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.operations.sharing import share, transfer_ownership, unshare
from accounts.permissions import Permission
from accounts.queries.sharing import grant_of, grant_rows, grants_in_order
from core.api.pagination import KeysetQuery
from core.api.schema import describe
from core.paging import Order
from datasets.api.endpoint import DatasetEndpoint
from datasets.api.shapes import DatasetOut, GrantIn, GrantOut, OwnerIn
from datasets.models import Dataset
from datasets.queries.datasets import find_dataset

OLDEST_FIRST = [Order("id")]


class GrantList(DatasetEndpoint):
    """Who else a dataset is shared with."""

    @describe("Sharing", answer=GrantOut, query=KeysetQuery, paged="keyset", operation_id="grants_list")
    def get(self, request: Request, dataset_id: UUID) -> Response:
        """List the grants on a dataset, oldest first.

        Needs `datasets:edit` on it. A grant of an earlier level that no longer gives anything has `effective` false.
        """
        dataset = _to_share(self, dataset_id)

        def completed(rows: list[Any]) -> list[Any]:
            return list(grant_rows(dataset, rows))

        return self.keyset(grants_in_order(dataset), OLDEST_FIRST, self.query(KeysetQuery), GrantOut, prepare=completed)

    @describe("Sharing", body=GrantIn, answer=GrantOut, status=201)
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Share a dataset with a member.

        Takes the place of an earlier grant to the same member. Needs `datasets:edit` on it.
        """
        dataset = _to_share(self, dataset_id)
        sent = self.read(GrantIn)
        share(self.actor, dataset, member_id=sent["member"], level=sent["level"])
        grant = grant_of(dataset, UUID(sent["member"]))
        where = reverse("api_grant", args=[dataset_id, grant.member.pk])
        return self.answer(grant, GrantOut, status=201, location=where)


class GrantDetail(DatasetEndpoint):
    """One member's grant."""

    @describe("Sharing", answer=GrantOut, etag=True)
    def get(self, request: Request, dataset_id: UUID, member_id: UUID) -> Response:
        """Read the grant of a member."""
        return self.answer(grant_of(_to_share(self, dataset_id), member_id), GrantOut)

    @describe("Sharing", status=204)
    def delete(self, request: Request, dataset_id: UUID, member_id: UUID) -> Response:
        """Take a member's grant away, one without effect too."""
        unshare(self.actor, _to_share(self, dataset_id), member_id=member_id)
        return Response(status=204)


class Owner(DatasetEndpoint):
    """Whose dataset it is."""

    @describe("Sharing", body=OwnerIn, answer=DatasetOut)
    def put(self, request: Request, dataset_id: UUID) -> Response:
        """Hand a dataset over to another member.

        By its owner, or by an Owner or Admin of the organisation. Its visibility stays.
        """
        dataset = find_dataset(self.actor, dataset_id)
        return self.answer(transfer_ownership(self.actor, dataset, member_id=self.read(OwnerIn)["member"]), DatasetOut)


def _to_share(endpoint: DatasetEndpoint, dataset_id: UUID) -> Dataset:
    """404 and 403 before anything of the body is looked at."""
    return find_dataset(endpoint.actor, dataset_id, Permission.DATASETS_EDIT)
