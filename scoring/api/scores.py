"""The endpoints of scores: grading a run, reading scores, grading again (SC-D53, SC-D55)."""

from typing import Any
from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from core.api.schema import describe
from core.jobs import enqueue
from datasets.api.endpoint import DatasetEndpoint
from datasets.queries.datasets import find_dataset
from scoring.api.score_shapes import (
    RescoredOut,
    RescoreIn,
    ScoreDetailOut,
    ScoreIn,
    ScoreOpenedOut,
    ScoreOut,
    ScoreQuery,
)
from scoring.jobs import grade_score_job
from scoring.logic.causes import Cause
from scoring.models import Score
from scoring.operations.rescoring import score_again
from scoring.operations.scores import score_run
from scoring.queries.listed_scores import listed_segments, with_review_status
from scoring.queries.readable_scores import readable_score
from scoring.queries.score_rows import ScoreRow, score_rows
from scoring.queries.scores import ScoreFilter, find_score

JUDGE_CODES = tuple(cause.value for cause in Cause if not cause.was_called)
# Which parameter fills which part of the filter with several values.
LISTS = {
    "outcomes": "outcome",
    "origins": "origin",
    "tags": "tag",
    "agent_ids": "agent",
    "answer_set_ids": "answer_set",
    "eval_run_ids": "eval_run",
}
RESCORE_CONFLICTS = (*JUDGE_CODES, "judge_republished", "judge_prompt_changed", "answer_gone", "busy")


class ScoreList(DatasetEndpoint):
    """The scores of a dataset, and new ones."""

    @describe("Scores", answer=ScoreOut, query=ScoreQuery, paged="keyset", operation_id="scores_list")
    def get(self, request: Request, dataset_id: UUID) -> Response:
        """List the scores of a dataset.

        The newest first, or with `sort=waiting_first` those that wait for review before the others; each with its
        outcome. Different filters narrow the list; of one filter with several values one is enough.
        """
        dataset = find_dataset(self.actor, dataset_id)
        query = self.query(ScoreQuery)
        found = listed_segments(self.actor, dataset, filter_of(query), sort=query.get("sort", ""))
        return self.segmented(found, query, ScoreOut, prepare=self.rows)

    def rows(self, scores: list[Score]) -> list[ScoreRow]:
        """The scores as the caller may know them, with their review status."""
        return with_review_status(score_rows(self.actor, scores))

    @describe(
        "Scores",
        body=ScoreIn,
        answer=ScoreOpenedOut,
        status=202,
        conflicts=("answer_unfinished", "person_erased"),
    )
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Score a run against a case.

        The run's answer and tool calls are graded with every evaluator that the dataset's settings turn on, in the
        background. Needs `datasets:run` on the dataset and `runs:view`. A run without a transcript is refused, and so
        is a case that gives none of the evaluators anything to check.
        """
        find_dataset(self.actor, dataset_id, Permission.DATASETS_RUN)
        score = score_run(self.actor, dataset_id=dataset_id, **self.read(ScoreIn))
        enqueue(grade_score_job, score_id=score.pk)
        where = reverse("api_score", args=[dataset_id, score.pk])
        return Response(self.json_of(score, ScoreOpenedOut), status=202, headers={"Location": where})


class ScoreDetail(DatasetEndpoint):
    """One score."""

    @describe("Scores", answer=ScoreDetailOut, etag=True)
    def get(self, request: Request, dataset_id: UUID, score_id: UUID) -> Response:
        """Read a score.

        With what each evaluator found, as far as you may read it.
        """
        found = find_score(find_dataset(self.actor, dataset_id), score_id)
        (shown,) = with_review_status([readable_score(self.actor, found)])
        return self.answer(shown, ScoreDetailOut)


class Rescore(DatasetEndpoint):
    """Grading again."""

    @describe("Scores", body=RescoreIn, answer=RescoredOut, status=202, conflicts=RESCORE_CONFLICTS)
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Score answers again.

        At most ten scores of this dataset: the same answers are graded once more with the settings of the first time,
        and no agent is asked. A score whose evaluators have all reached a verdict stays as it is. Refused as a whole
        while the cause is still there; the answer then holds the `score_ids` concerned.
        """
        find_dataset(self.actor, dataset_id, Permission.DATASETS_RUN)
        ids = [id_or_none(sent) for sent in self.read(RescoreIn)["score_ids"]]
        again = score_again(self.actor, dataset_id=dataset_id, score_ids=ids)
        for score_id in again.accepted:
            enqueue(grade_score_job, score_id=score_id)
        return Response(self.json_of(again, RescoredOut), status=202)


def filter_of(query: dict[str, Any]) -> ScoreFilter:
    """The filter that a query string asks for."""
    lists: dict[str, Any] = {name: tuple(query[asked]) for name, asked in LISTS.items() if asked in query}
    return ScoreFilter(state=query.get("state", ""), case_id=query.get("case"), **lists)


def id_or_none(text: str) -> UUID | None:
    """The id; None for a text that is none, which no score has."""
    try:
        return UUID(text)
    except ValueError:
        return None
