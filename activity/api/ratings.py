"""The endpoint of the caller's own rating of an answer (PL-30)."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from activity.api.conversation_shapes import RatingIn, RatingOut
from activity.operations.ratings import rate_answer, withdraw_rating
from activity.queries.answers import find_message
from core.api.schema import describe


class AnswerRating(Endpoint):
    """What the caller thinks of one answer."""

    @describe("Conversations", body=RatingIn, answer=RatingOut, conflicts=("no_answer", "person_erased"))
    def put(self, request: Request, message_id: UUID) -> Response:
        """Rate an answer in your conversation.

        Any message of the answer names it; the rating takes the place of an earlier one of yours.
        """
        find_message(self.actor, message_id)
        stored = rate_answer(self.actor, message_id=message_id, **self.read(RatingIn))
        return Response(self.json_of(stored, RatingOut))

    @describe("Conversations", status=204, conflicts=("no_answer",))
    def delete(self, request: Request, message_id: UUID) -> Response:
        """Take your rating of an answer back.

        Cases made from the answer stay as they are.
        """
        withdraw_rating(self.actor, message_id=message_id)
        return Response(status=204)
