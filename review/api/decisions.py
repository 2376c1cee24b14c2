"""The endpoint of the decision on one score: reading, deciding and withdrawing (RV-D29)."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from core.api.schema import describe
from core.errors import NotAllowed
from datasets.api.endpoint import DatasetEndpoint
from datasets.queries.datasets import find_dataset
from review.api.decision_shapes import DecidedOut, DecisionIn, DecisionQuery, DecisionWithdrawnOut, ScoreReviewOut
from review.operations.deciding import decide, withdraw_decision
from review.queries.histories import ScoreReview, review_of
from scoring.queries.scores import find_score


class ScoreDecision(DatasetEndpoint):
    """What a person rules on a score."""

    @describe("Scores", answer=ScoreReviewOut, etag=True)
    def get(self, request: Request, dataset_id: UUID, score_id: UUID) -> Response:
        """Read what people decided on a score.

        With every earlier act. Notes are null where you may not read the answer.
        """
        return self.answer(self._review(dataset_id, score_id), ScoreReviewOut)

    @describe("Scores", body=DecisionIn, answer=DecidedOut, conflicts=("decision_changed", "answer_removed"))
    def put(self, request: Request, dataset_id: UUID, score_id: UUID) -> Response:
        """Decide on a score.

        Any score, also one that does not wait for review; what grading found stays. Needs `datasets:edit` on the
        dataset, and that you may read the answer. Refused with `decision_changed` where somebody decided since the
        `revision` that you name; the answer then holds the `current` decision and its `revision`.
        """
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        sent = {"revision": 0} | self.read(DecisionIn)
        done = decide(self.actor, dataset_id=dataset_id, score_id=score_id, **sent)
        after = self.json_of(self._review(dataset_id, score_id), ScoreReviewOut)
        return Response({**after, "credentials_hidden": done.hidden})

    @describe("Scores", query=DecisionQuery, answer=DecisionWithdrawnOut, conflicts=("decision_changed", "not_decided"))
    def delete(self, request: Request, dataset_id: UUID, score_id: UUID) -> Response:
        """Withdraw the decision on a score.

        It waits for review again, unless another answer of its case and agent keeps the place. Needs what deciding
        needs.
        """
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        revision = self.query(DecisionQuery).get("revision")
        done = withdraw_decision(self.actor, dataset_id=dataset_id, score_id=score_id, revision=revision)
        after = self.json_of(self._review(dataset_id, score_id), ScoreReviewOut)
        return Response({**after, "result": done.sending.value})

    def before_replay(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """The first answer holds the note, which who may no longer read the answer is not told again (RV-77)."""
        super().before_replay(request, *args, **kwargs)
        if not self._review(kwargs["dataset_id"], kwargs["score_id"]).is_readable:
            raise NotAllowed

    def _review(self, dataset_id: UUID, score_id: UUID) -> ScoreReview:
        return review_of(self.actor, find_score(find_dataset(self.actor, dataset_id), score_id))
