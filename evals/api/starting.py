"""The endpoints under a dataset: estimate, start and list of its test runs (EV-D2)."""

from functools import partial
from typing import Any
from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.schema import describe
from datasets.api.endpoint import DatasetEndpoint
from datasets.queries.datasets import find_dataset
from evals.api.run_shapes import EvalQuery, EvalRowOut
from evals.api.start_shapes import EstimateOut, EvalIn, EvalStartedOut
from evals.logic.choices import EvalChoices
from evals.operations.start import start_eval
from evals.queries.estimates import estimate_eval
from evals.queries.evals import NEWEST_FIRST, EvalFilter, evals_of
from evals.queries.plans import choices_of
from evals.queries.shown_evals import shown_rows
from scoring.logic.causes import Cause

JUDGE_CODES = tuple(cause.value for cause in Cause if not cause.was_called)
CONFLICTS = (
    "agent_archived",
    "agent_cannot_answer",
    "agent_external",
    "agent_judge",
    "agent_unpublished",
    "baseline_unfinished",
    "nothing_decides",
    "over_budget",
    *JUDGE_CODES,
)


class ChoosingEndpoint(DatasetEndpoint):
    """An endpoint that takes the choices of a start."""

    def prepare(self, request: Request, dataset_id: UUID) -> EvalChoices:
        """The choices, once it is clear that dataset and agent may be known and run (EV-D4)."""
        return choices_of(self.actor, dataset_id=dataset_id, raw=request.data)


class EvalEstimate(ChoosingEndpoint):
    """What a test run would cost."""

    @describe("Test runs", body=EvalIn, answer=EstimateOut, conflicts=CONFLICTS)
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Estimate a test run.

        Takes the body of a start, spends nothing and keeps nothing. Refused just as that start would be.
        """
        found = estimate_eval(self.actor, dataset_id=dataset_id, choices=self.prepared)
        return Response(self.json_of(found, EstimateOut))


class EvalList(ChoosingEndpoint):
    """The test runs of a dataset, and new ones."""

    @describe("Test runs", answer=EvalRowOut, query=EvalQuery, paged="keyset", operation_id="evals_list")
    def get(self, request: Request, dataset_id: UUID) -> Response:
        """List the test runs of a dataset.

        The newest first, each with its rate, cost and duration. Needs `runs:view`.
        """
        dataset = find_dataset(self.actor, dataset_id)
        query = self.query(EvalQuery)
        rows = evals_of(self.actor, dataset, filter_of(query))
        return self.keyset(rows, NEWEST_FIRST, query, EvalRowOut, prepare=partial(shown_rows, self.actor))

    @describe("Test runs", body=EvalIn, answer=EvalStartedOut, status=201, conflicts=CONFLICTS)
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Start a test run.

        The agent answers every case of the dataset's version, each answer is graded, and what changed since the
        baseline is answered again. It goes on in the background and is paid for. Needs `runs:view`, `datasets:run` on
        the dataset and `agents:run` on the agent.
        """
        run = start_eval(self.actor, dataset_id=dataset_id, choices=self.prepared)
        where = reverse("api_eval", args=[run.pk])
        return Response(self.json_of(run, EvalStartedOut), status=201, headers={"Location": where})


def filter_of(query: dict[str, Any]) -> EvalFilter:
    """The filter that a query string asks for."""
    states = [query["status"]] if "status" in query else []
    return EvalFilter(query.get("agent"), states, query.get("label", ""), query.get("archived", False))
