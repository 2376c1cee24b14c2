"""Taking in what end users thought of answers (PL-32)."""

from collections.abc import Sequence
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from activity.api.ingest_shapes import RATED, StoredRatingsOut, one_or_many
from activity.logic.sent_feedback import SentFeedback, read_feedback
from activity.logic.sent_runs import listed
from activity.operations.sent_feedback import rate_answers
from core.api.schema import describe
from core.refusals import refusal


class FeedbackIngest(Endpoint):
    """Ratings of answers."""

    prepared: Sequence[SentFeedback]

    @describe(
        "Runs",
        body=one_or_many(RATED, "feedback"),
        answer=StoredRatingsOut,
        conflicts=("person_erased",),
        names_things=True,
    )
    def post(self, request: Request) -> Response:
        """Send ratings of answers: one, or a list.

        A message, a run or the key of a run names the answer. Who rates it again replaces the earlier rating; without
        `person` it is nobody's, and there is one of those for each answer. Needs `agents:run` on the agent. All of a
        request are stored or none.
        """
        many = listed(request.data, "feedback")[1]
        stored = rate_answers(self.actor, feedback=self.prepared, many=many)
        return Response(self.json_of({"feedback": stored}, StoredRatingsOut))

    def prepare(self, request: Request, *args: Any, **kwargs: Any) -> Sequence[SentFeedback]:
        """The ratings of the body, read before anything is locked."""
        feedback, problems = read_feedback(request.data)
        if problems:
            raise refusal(problems)
        return feedback
