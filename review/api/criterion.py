"""The endpoint that turns a reviewer's note into a criterion of the judge (RV-D38)."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from core.api.schema import describe
from datasets.api.endpoint import DatasetEndpoint
from datasets.queries.datasets import find_dataset
from review.api.criterion_shapes import CriterionMadeOut, NoteCriterionIn
from review.operations.criteria import make_criterion
from review.queries.criteria import refuse_to_make
from scoring.queries.scores import find_score

CONFLICTS = ("case_changed", "case_deleted", "answer_removed")


class ScoreCriterion(DatasetEndpoint):
    """A criterion that a score gave rise to."""

    @describe("Scores", body=NoteCriterionIn, answer=CriterionMadeOut, status=201, conflicts=CONFLICTS)
    def post(self, request: Request, dataset_id: UUID, score_id: UUID) -> Response:
        """Make a criterion of what a score showed.

        For this case only it becomes a `judge` check of the case, which makes a version; for every case it joins the
        rubric, which turns the judge on. Scores that are there stay as they are. Needs `datasets:edit` on the dataset,
        and that you may read the answer.
        """
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        sent = self.read(NoteCriterionIn)
        done = make_criterion(self.actor, dataset_id=dataset_id, score_id=score_id, **sent)
        return Response(self.json_of(done, CriterionMadeOut), status=201)

    def before_replay(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """The first answer holds words about the answer, which who may no longer read that is not told (RV-77)."""
        super().before_replay(request, *args, **kwargs)
        dataset = find_dataset(self.actor, kwargs["dataset_id"])
        refuse_to_make(self.actor, find_score(dataset, kwargs["score_id"]))
