"""Files as responses of console and API alike (DS-D52)."""

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from datasets.logic.file_writers import template
from datasets.operations.exports import ExportFile


def attachment(file: ExportFile) -> HttpResponseBase:
    """The file streamed, never shown in place of a page and never kept by a cache (ACC-D21)."""
    return _as_download(StreamingHttpResponse(file.pieces, content_type=file.content_type), file.name)


def template_file() -> HttpResponseBase:
    """The template of DS-126."""
    return _as_download(HttpResponse(template(), content_type="text/csv; charset=utf-8"), "casebook-template.csv")


def _as_download(response: HttpResponseBase, name: str) -> HttpResponseBase:
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["X-Content-Type-Options"] = "nosniff"
    response["Cache-Control"] = "no-store"
    return response
