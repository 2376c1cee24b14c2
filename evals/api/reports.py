"""The endpoints that say what a test run came to: comparison, gate and export (EV-D2)."""

from functools import partial
from uuid import UUID

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import AnyAccept
from core.api.schema import describe
from core.errors import Invalid, NotFound
from core.refusals import refusal
from datasets.downloads import attachment
from evals.api.comparison_shapes import ComparedCaseOut, CompareQuery, ComparisonHeadOut, ComparisonOut
from evals.api.endpoint import EvalEndpoint
from evals.api.gate_shapes import EvalExportQuery, GateOut, GateQuery
from evals.logic.compared_cases import ChangeFilter
from evals.logic.gate import read_limits
from evals.models import EvalRun
from evals.operations.exporting import export_eval
from evals.queries.compared_pages import IN_ORDER, filtered_cases, shown_comparison, shown_pairs
from evals.queries.gates import decided_gate


class EvalCompare(EvalEndpoint):
    """Two test runs of one dataset."""

    @describe("Test runs", answer=ComparisonOut, query=CompareQuery)
    def get(self, request: Request, eval_id: UUID) -> Response:
        """Compare a test run with an earlier one.

        Counts are over all cases that were asked with the same content in both; `results` are a page of the cases that
        `change` and `tag` let through, each with the answers of both runs.
        """
        run = self.find(eval_id)
        query = self.query(CompareQuery)
        other = self.other(run, query["with"])
        found = shown_comparison(self.actor, run, other)
        rows = filtered_cases(found.comparison, ChangeFilter(query.get("change", ""), query.get("tag", "")))
        shown = partial(shown_pairs, self.actor, other, run)
        answer = self.keyset(rows, IN_ORDER, query, ComparedCaseOut, prepare=shown)
        answer.data = {**self.json_of(found, ComparisonHeadOut), **answer.data}
        return answer

    def other(self, run: EvalRun, other_id: UUID) -> EvalRun:
        """The earlier run. Raises `Invalid` where this dataset has none with this id."""
        try:
            found = self.find(other_id)
        except NotFound:
            found = None
        if found is None or found.dataset_id != run.dataset_id:
            raise Invalid.at("with", _("This dataset has no such test run."))
        return found


class EvalGate(EvalEndpoint):
    """Whether a pipeline may go on."""

    @describe("Test runs", answer=GateOut, query=GateQuery)
    def get(self, request: Request, eval_id: UUID) -> Response:
        """Ask whether a test run is good enough.

        Decided from the results as they are now, for the page and for pipelines alike. A run that did not complete, or
        in which nothing was graded, never passes.
        """
        run = self.find(eval_id)
        limits, problems = read_limits(self.query(GateQuery))
        if limits is None:
            raise refusal(problems)
        return Response(self.json_of(decided_gate(run, limits), GateOut))


class EvalExport(EvalEndpoint):
    """A test run as a file."""

    content_negotiation_class = AnyAccept

    @describe(
        "Test runs",
        query=EvalExportQuery,
        files=("text/csv", "application/x-ndjson", "application/xml", "text/markdown"),
        conflicts=("eval_running",),
    )
    def get(self, request: Request, eval_id: UUID) -> HttpResponseBase:
        """Export a test run that has ended.

        As CSV or JSONL with a row an answer, as JUnit XML with a test a case, or as a summary in Markdown for a pull
        request. What you may not read is left out. Every export is recorded in the audit log.
        """
        self.find(eval_id)
        query = self.query(EvalExportQuery)
        return attachment(export_eval(self.actor, eval_id=eval_id, file_format=query["format"]))
