"""DatasetEndpoint: what the endpoints under one dataset share."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request

from accounts.api.endpoint import Endpoint
from datasets.queries.datasets import refuse_if_out_of_sight


class DatasetEndpoint(Endpoint):
    """An endpoint whose address holds a dataset's id."""

    def before_replay(self, request: Request, *args: Any, dataset_id: UUID, **kwargs: Any) -> None:
        """A member who has lost sight of the dataset is told nothing of it again (ACC-19, BC-47)."""
        refuse_if_out_of_sight(self.actor, dataset_id)
