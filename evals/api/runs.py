"""The endpoints of one test run: reading it, its cases, and the acts on it (EV-D2)."""

from functools import partial
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from agents.api.agent_shapes import NothingIn
from core.api.schema import describe
from evals.api.endpoint import EvalEndpoint
from evals.api.item_shapes import ItemOut, ItemQuery
from evals.api.run_shapes import EvalOut
from evals.api.start_shapes import EvalStartedOut, ResumeIn
from evals.logic.item_list import ItemFilter
from evals.operations.archiving import archive_eval, bring_back_eval
from evals.operations.baselines import end_baseline, make_baseline
from evals.operations.cancelling import cancel_eval
from evals.operations.resuming import resume_eval
from evals.queries.item_pages import IN_ORDER, filtered_items, shown_page
from evals.queries.shown_evals import shown_eval
from scoring.logic.causes import Cause

RESUME_CONFLICTS = (
    "agent_archived",
    "agent_cannot_answer",
    "agent_version_gone",
    "cost_limit",
    "eval_archived",
    "eval_not_resumable",
    "eval_of_stored_answers",
    "judge_prompt_changed",
    "judge_republished",
    "no_case_left",
    "over_budget",
    *(cause.value for cause in Cause if not cause.was_called),
)
BASELINE_CONFLICTS = ("agent_gone", "eval_archived", "eval_not_completed")


class EvalDetail(EvalEndpoint):
    """One test run."""

    @describe("Test runs", answer=EvalOut, etag=True)
    def get(self, request: Request, eval_id: UUID) -> Response:
        """Read a test run.

        Its state and progress, once it has ended its totals as they are now, and the configuration it was started with.
        """
        return self.answer(shown_eval(self.actor, self.find(eval_id)), EvalOut)


class EvalItems(EvalEndpoint):
    """The cases of a test run."""

    @describe("Test runs", answer=ItemOut, query=ItemQuery, paged="keyset", operation_id="eval_items_list")
    def get(self, request: Request, eval_id: UUID) -> Response:
        """List the cases of a test run.

        In the order of the dataset, each with its answers' outcomes and the reasons for them.
        """
        run = self.find(eval_id)
        query = self.query(ItemQuery)
        rows = filtered_items(run, ItemFilter(*(query.get(name, "") for name in ("result", "change", "tag"))))
        return self.keyset(rows, IN_ORDER, query, ItemOut, prepare=partial(shown_page, self.actor, run))


class EvalCancel(EvalEndpoint):
    """Ending early."""

    @describe("Test runs", body=NothingIn, answer=EvalStartedOut, status=202, conflicts=("eval_ended",))
    def post(self, request: Request, eval_id: UUID) -> Response:
        """Cancel a test run.

        No further answer is begun, and those under way may finish. What was graded stays; nothing is confirmed and
        nothing is sent to people. By who started it, or with `datasets:run` on the dataset.
        """
        self.find(eval_id)
        self.read(NothingIn)
        return Response(self.json_of(cancel_eval(self.actor, eval_id=eval_id), EvalStartedOut), status=202)


class EvalResume(EvalEndpoint):
    """Going on."""

    @describe("Test runs", body=ResumeIn, answer=EvalStartedOut, status=202, conflicts=RESUME_CONFLICTS)
    def post(self, request: Request, eval_id: UUID) -> Response:
        """Resume a test run that was cancelled or stopped, or that failed.

        With the configuration it was started with: what has no answer is asked, what has no verdict is graded again,
        and no answer is bought twice. Needs what a start needs.
        """
        self.find(eval_id)
        sent: dict[str, Any] = self.read(ResumeIn)
        limit = {"max_cost": sent["max_cost_usd"]} if "max_cost_usd" in sent else {}
        return Response(self.json_of(resume_eval(self.actor, eval_id=eval_id, **limit), EvalStartedOut), status=202)


class EvalBaseline(EvalEndpoint):
    """What later runs are compared with."""

    @describe("Test runs", body=NothingIn, answer=EvalOut, conflicts=BASELINE_CONFLICTS)
    def post(self, request: Request, eval_id: UUID) -> Response:
        """Make a test run the baseline of its dataset and agent.

        Later runs of both are compared with it unless they name another. Needs `datasets:edit` on the dataset.
        """
        self.find(eval_id)
        self.read(NothingIn)
        make_baseline(self.actor, eval_id=eval_id)
        return self.answer(shown_eval(self.actor, self.find(eval_id)), EvalOut)

    @describe("Test runs", status=204)
    def delete(self, request: Request, eval_id: UUID) -> Response:
        """Have the latest completed run be compared with again.

        A run that is no baseline stays as it is. Needs `datasets:edit` on the dataset.
        """
        end_baseline(self.actor, eval_id=eval_id)
        return Response(status=204)


class EvalArchive(EvalEndpoint):
    """Out of the list."""

    @describe("Test runs", body=NothingIn, answer=EvalOut, conflicts=("eval_running",))
    def post(self, request: Request, eval_id: UUID) -> Response:
        """Archive a test run.

        It is listed no more and never compared with by default; it can still be read. Needs `datasets:edit` on the
        dataset.
        """
        self.find(eval_id)
        self.read(NothingIn)
        archive_eval(self.actor, eval_id=eval_id)
        return self.answer(shown_eval(self.actor, self.find(eval_id)), EvalOut)


class EvalRestore(EvalEndpoint):
    """Into the list again."""

    @describe("Test runs", body=NothingIn, answer=EvalOut)
    def post(self, request: Request, eval_id: UUID) -> Response:
        """List an archived test run again."""
        self.find(eval_id)
        self.read(NothingIn)
        bring_back_eval(self.actor, eval_id=eval_id)
        return self.answer(shown_eval(self.actor, self.find(eval_id)), EvalOut)
