"""The endpoints of runs: reading them with the filters of Activity (PL-31)."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from activity.api.ingest import RunIngest
from activity.api.run_shapes import RunDetailOut, RunOut, RunQuery
from activity.operations.runs import delete_run
from activity.queries.run_messages import messages_of
from activity.queries.runs import NEWEST_FIRST, RunFilter, find_run, listed, runs
from core.api.schema import describe


class RunList(RunIngest):
    """The runs of the organisation, and new ones."""

    @describe("Runs", answer=RunOut, query=RunQuery, paged="keyset", operation_id="runs_list")
    def get(self, request: Request) -> Response:
        """List runs, newest first. Needs `runs:view`."""
        query = self.query(RunQuery)
        found = listed(runs(self.actor, filter_of(query)))
        return self.keyset(found, NEWEST_FIRST, query, RunOut)


class RunDetail(Endpoint):
    """One run."""

    @describe("Runs", answer=RunDetailOut, etag=True)
    def get(self, request: Request, run_id: UUID) -> Response:
        """Read a run with its messages and their ratings. Needs `runs:view`."""
        run: Any = find_run(self.actor, run_id)
        run.told = messages_of(run)
        return self.answer(run, RunDetailOut)

    @describe("Runs", status=204, conflicts=("run_running",))
    def delete(self, request: Request, run_id: UUID) -> Response:
        """Delete a run with its messages and their ratings.

        Its conversation goes too where nothing else was said in it. Needs `organisation:manage`.
        """
        delete_run(self.actor, run_id=run_id)
        return Response(status=204)


def filter_of(query: dict[str, Any]) -> RunFilter:
    """The filter that a query string asks for."""
    names = {"q": "search", "agent": "agent_id"}
    asked = ("q", "agent", "kind", "status", "rating", "since", "until")
    return RunFilter(**{names.get(name, name): query[name] for name in asked if name in query})
