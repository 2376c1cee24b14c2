"""The endpoint that makes a case of an agent's answer."""

from typing import Any
from uuid import UUID

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from activity.queries.answers import find_message
from core.api.schema import describe
from core.errors import NotFound
from datasets.api.endpoint import DatasetEndpoint
from datasets.api.shapes import CaseFromMessageOut, FromMessageIn
from datasets.operations.answers import add_case_from_answer
from datasets.queries.datasets import find_dataset
from datasets.queries.readable_words import reads_every_word
from datasets.queries.seen_cases import seen_by


class CaseFromMessage(DatasetEndpoint):
    """Cases from answers."""

    @describe(
        "Cases",
        body=FromMessageIn,
        answer=CaseFromMessageOut,
        status=201,
        etag=True,
        conflicts=("already_added", "answer_unfinished", "person_erased", "case_limit", "version_rows_limit"),
    )
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Add an answer from a conversation or a run as a case.

        The whole answer is taken: every step the agent wrote before the next question. Kept as the reference answer, it
        brings the tools it called, as far as their calls succeeded and change something. The newest comment left with a
        thumbs down becomes the note. A message that you cannot read is answered as one that does not exist.
        """
        sent = dict(self.prepared)
        message_id = id_or_not_found(sent.pop("message_id"))
        added = add_case_from_answer(self.actor, dataset_id=dataset_id, message_id=message_id, **sent)
        seen = seen_by(self.actor, added.revision, version=added.version)
        location = reverse("api_case", args=[dataset_id, seen.id])
        return self.answer((added, seen), CaseFromMessageOut, status=201, location=location)

    def before_replay(self, request: Request, *args: Any, dataset_id: UUID, **kwargs: Any) -> None:
        """The first answer holds words of the conversation: only who may still read them gets it again (ACC-25)."""
        super().before_replay(request, *args, dataset_id=dataset_id, **kwargs)
        if not reads_every_word(self.actor):
            sent = request.data if isinstance(request.data, dict) else {}
            find_message(self.actor, id_or_not_found(str(sent.get("message_id"))))

    def prepare(self, request: Request, dataset_id: UUID) -> dict[str, Any]:
        """What was sent, once it is clear that the dataset may be known and changed (ACC-D9)."""
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        return self.read(FromMessageIn)


def id_or_not_found(text: str) -> UUID:
    """The id. Raises `NotFound` for what is none: no message has it."""
    try:
        return UUID(text)
    except ValueError:
        raise NotFound from None
