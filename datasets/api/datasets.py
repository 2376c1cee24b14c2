"""The endpoints of datasets."""

from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from core.api.schema import describe
from core.paging import Order
from datasets.api.endpoint import DatasetEndpoint
from datasets.api.shapes import DatasetIn, DatasetOut, DatasetPatch, DatasetQuery
from datasets.operations.datasets import change_details, create_dataset, delete_dataset
from datasets.operations.versions import lock_for_change
from datasets.queries.datasets import find_dataset, visible_datasets

NEWEST_FIRST = [Order("id", descending=True)]


class DatasetList(Endpoint):
    """All datasets, and new ones."""

    @describe("Datasets", answer=DatasetOut, query=DatasetQuery, paged="keyset", operation_id="datasets_list")
    def get(self, request: Request) -> Response:
        """List the datasets you can see.

        The newest first.
        """
        query = self.query(DatasetQuery)
        return self.keyset(visible_datasets(self.actor, search=query.get("q", "")), NEWEST_FIRST, query, DatasetOut)

    @describe("Datasets", body=DatasetIn, answer=DatasetOut, status=201, etag=True)
    def post(self, request: Request) -> Response:
        """Create a dataset.

        It is visible to the whole organisation unless `visibility` is `private`, and has no version until it changes.
        """
        dataset = create_dataset(self.actor, **self.read(DatasetIn))
        return self.answer(dataset, DatasetOut, status=201, location=reverse("api_dataset", args=[dataset.pk]))


class DatasetDetail(DatasetEndpoint):
    """One dataset."""

    @describe("Datasets", answer=DatasetOut, etag=True)
    def get(self, request: Request, dataset_id: UUID) -> Response:
        """Read a dataset."""
        return self.answer(find_dataset(self.actor, dataset_id), DatasetOut)

    @describe("Datasets", body=DatasetPatch, answer=DatasetOut, etag=True)
    def patch(self, request: Request, dataset_id: UUID) -> Response:
        """Change name, description or visibility.

        What is left out stays. Makes no version.
        """
        self.require_match(lock_for_change(self.actor, dataset_id), DatasetOut)
        return self.answer(change_details(self.actor, dataset_id=dataset_id, **self.read(DatasetPatch)), DatasetOut)

    @describe("Datasets", status=204)
    def delete(self, request: Request, dataset_id: UUID) -> Response:
        """Delete a dataset with its versions and cases."""
        delete_dataset(self.actor, dataset_id=dataset_id)
        return Response(status=204)
