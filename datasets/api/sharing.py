"""The endpoint of a dataset's owner; its grants are as those of every shared resource (ACC-D8)."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.serializers import OwnerIn
from core.api.schema import describe
from datasets.api.endpoint import DatasetEndpoint
from datasets.api.shapes import DatasetOut


class Owner(DatasetEndpoint):
    """Whose dataset it is."""

    @describe("Sharing", body=OwnerIn, answer=DatasetOut)
    def put(self, request: Request, dataset_id: UUID) -> Response:
        """Hand a dataset over to another member.

        By its owner, or by an Owner or Admin of the organisation. Its visibility stays.
        """
        return self.answer(self.hand_over(), DatasetOut)
