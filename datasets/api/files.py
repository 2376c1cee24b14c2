"""The endpoints that take and send files: import, export, template."""

from collections.abc import Sequence
from uuid import UUID

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import AnyAccept, Endpoint
from accounts.permissions import Permission
from core.api.parsers import UploadParser
from core.api.schema import describe
from core.errors import Invalid
from datasets.api.endpoint import DatasetEndpoint
from datasets.api.shapes import ExportQuery, FileIn, ImportOut, ImportQuery
from datasets.downloads import attachment, template_file
from datasets.logic.drafts import CaseDraft
from datasets.operations.exports import export_version
from datasets.operations.imports import import_cases, read_cases
from datasets.queries.datasets import find_dataset


class ImportCases(DatasetEndpoint):
    """Cases from a file."""

    parser_classes = [UploadParser]

    @describe(
        "Files",
        body={"multipart/form-data": FileIn},
        query=ImportQuery,
        answer=ImportOut,
        status=201,
        unchanged=200,
        conflicts=("case_limit", "version_rows_limit", "read_only_version"),
    )
    def post(self, request: Request, dataset_id: UUID) -> Response:
        """Import a CSV or JSONL file.

        All cases become one version, or none is added: then every bad row is named with all its problems. A file whose
        cases are all there word for word, such as an export that nobody changed, makes no version and is answered with
        200 and `added` 0.
        """
        query = self.query(ImportQuery)
        result = import_cases(
            self.actor,
            dataset_id=dataset_id,
            drafts=self.prepared,
            seen_version=query.get("version"),
            skip_existing=query["skip_existing"],
        )
        return Response(self.json_of(result, ImportOut), status=201 if result.added else 200)

    def prepare(self, request: Request, dataset_id: UUID) -> Sequence[CaseDraft]:
        """The cases of the file."""
        find_dataset(self.actor, dataset_id, Permission.DATASETS_EDIT)
        problems = [name for name in [*request.data, *request.FILES] if name != "file"]
        if problems or len(request.FILES.getlist("file")) != 1:
            raise Invalid.at(problems[0] if problems else "file", _("Send one file, as the part named file."))
        file = request.FILES["file"]
        return read_cases(self.actor, dataset_id=dataset_id, name=file.name or "", data=file.read())


class Export(DatasetEndpoint):
    """A version as a file."""

    content_negotiation_class = AnyAccept

    @describe("Files", query=ExportQuery, files=("text/csv", "application/x-ndjson"))
    def get(self, request: Request, dataset_id: UUID) -> HttpResponseBase:
        """Export a version as CSV or JSONL.

        The file imports again without change. Every export is recorded in the audit log.
        """
        dataset = find_dataset(self.actor, dataset_id)
        query = self.query(ExportQuery)
        return attachment(
            export_version(
                self.actor,
                dataset_id=dataset.pk,
                file_format=query["format"],
                version=query.get("version"),
                with_mark=query.get("bom", False),
            )
        )


class ImportTemplate(Endpoint):
    """The file to begin with."""

    content_negotiation_class = AnyAccept

    @describe("Files", files=("text/csv",))
    def get(self, request: Request) -> HttpResponseBase:
        """Get a CSV with every column and one case, which imports as it is."""
        return template_file()
