"""The endpoint of a dataset's grading settings."""

from uuid import UUID

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import Permission
from core.api.schema import describe
from core.errors import Invalid
from datasets.api.endpoint import DatasetEndpoint
from datasets.queries.datasets import find_dataset
from scoring.api.settings_shapes import ScoringIn, ScoringOut
from scoring.logic.settings_changes import Changes
from scoring.operations.settings import change_scoring, read_settings
from scoring.queries.settings import settings_of


class Scoring(DatasetEndpoint):
    """How the answers of a dataset are graded."""

    @describe("Scoring", answer=ScoringOut, etag=True)
    def get(self, request: Request, dataset_id: UUID) -> Response:
        """Read how a dataset is graded.

        Defaults until somebody saves something else.
        """
        dataset = find_dataset(self.actor, dataset_id)
        return self.answer((dataset, settings_of(dataset)), ScoringOut)

    @describe("Scoring", body=ScoringIn, answer=ScoringOut, conflicts=("settings_changed",))
    def put(self, request: Request, dataset_id: UUID) -> Response:
        """Change how a dataset is graded.

        What the body leaves out keeps its value at any depth; a list replaces the stored list. Makes no version, and
        changes no score that is there. Settings that would not hold after the change are refused as a whole.
        """
        changes, revision = self.prepared
        changed = change_scoring(self.actor, dataset_id=dataset_id, changes=changes, revision=revision)
        return Response(self.json_of((find_dataset(self.actor, dataset_id), changed), ScoringOut))

    def prepare(self, request: Request, dataset_id: UUID) -> tuple[Changes, int | None] | None:
        """The changes: reading patterns and schemas of default checks takes a process of its own."""
        if request.method != "PUT":
            return None
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        if not isinstance(request.data, dict):
            raise Invalid.at("", _("The body must be an object with settings."))
        body = dict(request.data)
        body.pop("warnings", None)
        revision = _revision(body.pop("revision", None))
        return read_settings(self.actor, dataset_id=dataset_id, raw=body), revision


def _revision(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise Invalid.at("revision", _("This must be the revision of the settings: a whole number from 0."))
