"""The endpoint that gives graded answers as a file (RV-D44)."""

from uuid import UUID

from django.http.response import HttpResponseBase
from rest_framework.request import Request

from accounts.api.endpoint import AnyAccept
from core.api.schema import describe
from core.api.serializers import Choice
from datasets.api.endpoint import DatasetEndpoint
from datasets.downloads import attachment
from datasets.queries.datasets import find_dataset
from review.operations.exporting import FORMATS, export_scores
from scoring.api.score_shapes import ScoreFilterQuery
from scoring.api.scores import filter_of


class ScoreExportQuery(ScoreFilterQuery):
    """Which scores as which file."""

    format = Choice([(name, name) for name in FORMATS], default="csv")


class ScoreExport(DatasetEndpoint):
    """Graded answers as a file."""

    content_negotiation_class = AnyAccept

    @describe("Scores", query=ScoreExportQuery, files=("text/csv", "application/x-ndjson"))
    def get(self, request: Request, dataset_id: UUID) -> HttpResponseBase:
        """Export the scores of a dataset.

        With the filters and the order of the list, a row a score, as CSV or JSONL. What you may not read is left out.
        Every export is recorded in the audit log.
        """
        find_dataset(self.actor, dataset_id)
        query = self.query(ScoreExportQuery)
        wanted, sort = filter_of(query), query.get("sort", "")
        file = export_scores(self.actor, dataset_id=dataset_id, file_format=query["format"], wanted=wanted, sort=sort)
        return attachment(file)
