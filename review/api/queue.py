"""The endpoints of the review queue: sending scores there, and taking them out (RV-34, RV-51)."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from core.api.schema import describe
from datasets.api.endpoint import DatasetEndpoint
from datasets.queries.datasets import find_dataset
from review.api.shapes import ScoresIn, SentScoresOut, WithdrawnScoresOut
from review.operations.sending import send_to_review, withdraw_from_review
from scoring.api.scores import id_or_none


class SendToReview(DatasetEndpoint):
    """Sending."""

    @describe("Scores", body=ScoresIn, answer=SentScoresOut)
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Send scores to review.

        All or none: at most 500 scores of this dataset, in the order in which the rules apply. One score waits for each
        case and agent; a graded one goes before one that nothing graded, and a newer one before an older. A score that
        does not get the place is told as `outranked`, which is no failure.
        """
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        ids = [id_or_none(sent) for sent in self.read(ScoresIn)["score_ids"]]
        moved = send_to_review(self.actor, dataset_id=dataset_id, score_ids=ids)
        return Response(self.json_of({"scores": moved}, SentScoresOut))


class WithdrawFromReview(DatasetEndpoint):
    """Taking out."""

    @describe("Scores", body=ScoresIn, answer=WithdrawnScoresOut)
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Take scores out of review.

        All or none: at most 500 scores of this dataset. They stay what they are, without a decision.
        """
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        ids = [id_or_none(sent) for sent in self.read(ScoresIn)["score_ids"]]
        moved = withdraw_from_review(self.actor, dataset_id=dataset_id, score_ids=ids)
        return Response(self.json_of({"scores": moved}, WithdrawnScoresOut))
