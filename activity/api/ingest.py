"""Taking in runs: `POST /runs`, which `activity.api.runs.RunList` has beside its list (PL-32)."""

from collections.abc import Sequence
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from activity.api.ingest_shapes import RUN, StoredRunsOut, one_or_many
from activity.logic.sent_runs import SentRun, listed, read_runs
from activity.operations.ingest import StoredRun, ingest_runs
from core.api.schema import describe
from core.refusals import refusal


class RunIngest(Endpoint):
    """New runs of agents that run elsewhere."""

    prepared: Sequence[SentRun]

    @describe(
        "Runs",
        body=one_or_many(RUN, "runs"),
        answer=StoredRunsOut,
        status=201,
        unchanged=200,
        conflicts=("person_erased",),
        names_things=True,
    )
    def post(self, request: Request) -> Response:
        """Send runs of an agent: one, or a list.

        Either all of a request are stored or none: a refusal names each bad place, such as
        `runs.3.messages.0.role`. Needs `agents:run` on each agent. A run whose `idempotency_key` is there already is
        not stored again, and the answer gives the ids of the first; where that is so of all, the status is 200.
        """
        many = listed(request.data, "runs")[1]
        stored = ingest_runs(self.actor, runs=self.prepared, many=many)
        is_new = any(each.is_new for each in stored)
        first = f"{request.path}/{stored[0].run_id}"
        headers = {"Location": first} if is_new else {}
        return Response({"runs": [_shaped(each) for each in stored]}, status=201 if is_new else 200, headers=headers)

    def prepare(self, request: Request, *args: Any, **kwargs: Any) -> Sequence[SentRun]:
        """The runs of the body, read before anything is locked."""
        runs, problems = read_runs(request.data)
        if problems:
            raise refusal(problems)
        return runs


def _shaped(stored: StoredRun) -> dict[str, Any]:
    """As `StoredRunOut` describes it; by hand, since hundreds come at once."""
    return {
        "id": stored.run_id,
        "conversation": stored.conversation_id,
        "message": stored.message_id,
        "idempotency_key": stored.idempotency_key,
        "stored": stored.is_new,
    }
