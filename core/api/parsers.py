"""The parsers of request bodies: strict JSON, and forms with a file, both bounded while they are read."""

import hashlib
from typing import IO, Any, cast

from django.core.files.uploadhandler import MemoryFileUploadHandler, StopUpload, TemporaryFileUploadHandler
from django.http import HttpRequest
from django.http.multipartparser import MultiPartParser as DjangoMultiPartParser
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser, DataAndFiles

from core.errors import TooLarge
from core.limits import LIMITS
from core.strict_json import read_json
from core.uploads import BoundedUpload

PIECE = 256 * 1024


class StrictJSONParser(BaseParser):
    """JSON as `core.strict_json` reads it; TooLarge (413) beyond LIMITS.json_body_bytes, measured while reading.

    The SHA-256 of the bytes is kept on the request for `Idempotency-Key`.
    """

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        body = _read_at_most(stream, LIMITS.json_body_bytes)
        request = (parser_context or {}).get("request")
        if request is not None:
            request._request.body_digest = hashlib.sha256(body).hexdigest()
        return read_json(body)


def _read_at_most(stream: IO[bytes], limit: int) -> bytes:
    body = bytearray()
    while piece := stream.read(PIECE):
        body += piece
        if len(body) > limit:
            raise TooLarge(_("The body is larger than %(limit)s bytes.") % {"limit": f"{limit:,}"})
    return bytes(body)


class UploadParser(BaseParser):
    """multipart/form-data with files of at most `LIMITS.import_bytes` together, measured while they arrive (DS-D36).

    What is too large is refused without being kept: TooLarge (413). Larger files wait in a temporary file that goes
    with the request in every outcome.
    """

    media_type = "multipart/form-data"

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> DataAndFiles:
        request: HttpRequest = parser_context["request"]._request
        measure = FileMeasure(request)
        handlers = [measure, MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
        meta = request.META | {"CONTENT_TYPE": media_type}
        data, files = DjangoMultiPartParser(meta, cast(Any, stream), handlers, request.encoding or "utf-8").parse()
        if measure.is_over:
            for _name, found in files.lists():
                for file in found:
                    file.close()
            raise TooLarge(_("The file is larger than %(limit)s bytes.") % {"limit": f"{LIMITS.import_bytes:,}"})
        request.body_digest = _digest(data, files)  # type: ignore[attr-defined]
        return DataAndFiles(data, files)


class FileMeasure(BoundedUpload):
    """Stops reading as soon as the files are over an import's limit; the parser then says so."""

    limit = LIMITS.import_bytes

    def refusal(self) -> Exception:
        return StopUpload(connection_reset=True)


def _digest(data: Any, files: Any) -> str:
    """The SHA-256 over every field and file; the boundary, which differs with each sending, is left out."""
    digest = hashlib.sha256()
    for name, values in data.lists():
        digest.update(repr((name, values)).encode())
    for name, found in files.lists():
        for file in found:
            digest.update(repr((name, file.name, file.size)).encode())
            for piece in file.chunks():
                digest.update(piece)
            file.seek(0)
    return digest.hexdigest()
