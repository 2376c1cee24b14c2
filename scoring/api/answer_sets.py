"""The endpoints of stored answers: grading answers that were given elsewhere, without asking any agent."""

from functools import partial
from pathlib import PurePath
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from core.api.pagination import KeysetQuery
from core.api.parsers import StrictJSONParser, UploadParser
from core.api.schema import describe
from core.errors import Invalid
from datasets.api.endpoint import DatasetEndpoint
from datasets.queries.datasets import find_dataset
from scoring.api.answer_set_shapes import AnswerFileIn, AnswerSetDetailOut, AnswerSetIn, AnswerSetOut
from scoring.jobs import enqueue_answer_set
from scoring.operations.stored_answers import (
    delete_answer_set,
    read_answer_file,
    read_sent_answers,
    require_to_score,
    score_stored_answers,
)
from scoring.queries.answer_sets import NEWEST_FIRST, answer_sets_of, find_answer_set, shown_set, shown_sets


class AnswerSetList(DatasetEndpoint):
    """The sets of a dataset, and new ones."""

    parser_classes = [StrictJSONParser, UploadParser]
    # A dataset that changed since would read the same answers otherwise, and the first answer is to be given again.
    acts_before = True

    @describe("Scores", answer=AnswerSetOut, query=KeysetQuery, paged="keyset", operation_id="answer_sets_list")
    def get(self, request: Request, dataset_id: UUID) -> Response:
        """List the sets of stored answers.

        The newest first, each with how far it is graded.
        """
        dataset = find_dataset(self.actor, dataset_id)
        rows, shown = answer_sets_of(dataset), partial(shown_sets, self.actor)
        return self.keyset(rows, NEWEST_FIRST, self.query(KeysetQuery), AnswerSetOut, prepare=shown)

    @describe(
        "Scores",
        body={"application/json": AnswerSetIn, "multipart/form-data": AnswerFileIn},
        answer=AnswerSetDetailOut,
        status=202,
    )
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Score stored answers.

        Each answer is graded against its case by the settings of now, in the background, and no agent is asked: at most
        500 answers as JSON, or a file with at most 10,000. Either all are taken, or none: then every bad one is named.
        Answers that could not be graded are left out and counted.
        """
        made = score_stored_answers(self.actor, dataset_id=dataset_id, **self.prepared)
        enqueue_answer_set(made)
        where = reverse("api_answer_set", args=[dataset_id, made.pk])
        return self.answer(shown_set(self.actor, made), AnswerSetDetailOut, status=202, location=where)

    def prepare(self, request: Request, dataset_id: UUID) -> dict[str, Any]:
        """The answers with their cases, label and agent."""
        require_to_score(self.actor, dataset_id)
        if request.FILES or request.content_type.startswith(UploadParser.media_type):
            return self._of_file(request, dataset_id)
        sent = self.read(AnswerSetIn)
        version = sent.get("version")
        answers = read_sent_answers(self.actor, dataset_id=dataset_id, values=sent["answers"], version=version)
        return {"answers": answers, "label": sent["label"], "agent_id": sent.get("agent")}

    def _of_file(self, request: Request, dataset_id: UUID) -> dict[str, Any]:
        if len(request.FILES.getlist("file")) != 1:
            raise Invalid.at("file", _("Send one file, as the part named file."))
        sent = self.read(AnswerFileIn)
        file = sent["file"]
        named: dict[str, Any] = {"name": file.name or "", "data": file.read(), "version": sent.get("version")}
        answers = read_answer_file(self.actor, dataset_id=dataset_id, **named)
        label = sent.get("label") or PurePath(file.name or "").stem
        return {"answers": answers, "label": label, "agent_id": sent.get("agent")}


class AnswerSetDetail(DatasetEndpoint):
    """One set."""

    @describe("Scores", answer=AnswerSetDetailOut, etag=True)
    def get(self, request: Request, dataset_id: UUID, answer_set_id: UUID) -> Response:
        """Read how far a set of stored answers is graded."""
        found = find_answer_set(find_dataset(self.actor, dataset_id), answer_set_id)
        return self.answer(shown_set(self.actor, found), AnswerSetDetailOut)

    @describe("Scores", status=204)
    def delete(self, request: Request, dataset_id: UUID, answer_set_id: UUID) -> Response:
        """Delete a set of stored answers.

        Its answers and their scores go with it. Needs the permission to edit the dataset.
        """
        delete_answer_set(self.actor, dataset_id=dataset_id, answer_set_id=answer_set_id)
        return Response(status=204)
