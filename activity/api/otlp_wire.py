"""How OTLP travels over HTTP: bodies in protobuf or JSON, perhaps gzipped, and answers in the form of the question."""

import hashlib
import zlib
from collections.abc import Iterator
from typing import IO, Any

from django.utils.translation import gettext as _
from google.protobuf.json_format import ParseDict
from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from activity.logic.otel_spans import NotOtlp, WireSpan, spans_of_json, spans_of_message
from core.errors import Invalid, TooLarge
from core.limits import LIMITS
from core.strict_json import read_json

PROTOBUF = "application/x-protobuf"
PIECE = 256 * 1024
GZIP = 16 + zlib.MAX_WBITS


class OtlpParser(BaseParser):
    """Reads a body within LIMITS.otlp_body_bytes, unpacked; TooLarge (413) beyond. Its SHA-256 is kept, too."""

    def parse(self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None) -> Any:
        request = (parser_context or {})["request"]
        encoding = request.META.get("HTTP_CONTENT_ENCODING", "").strip().lower()
        if encoding not in ("", "identity", "gzip"):
            raise Invalid.at("Content-Encoding", _("This is gzip, or left out."))
        body = _bounded(_unpacked(stream) if encoding == "gzip" else iter(lambda: stream.read(PIECE), b""))
        request._request.body_digest = hashlib.sha256(body).hexdigest()
        spans = self.spans_of(body)
        if len(spans) > LIMITS.otlp_spans:
            raise TooLarge(_("At most %(limit)d spans at once.") % {"limit": LIMITS.otlp_spans})
        return spans

    def spans_of(self, body: bytes) -> list[WireSpan]:
        """The spans of the unpacked body."""
        raise NotImplementedError


class OtlpProtobufParser(OtlpParser):
    """`application/x-protobuf`, which exporters send unless told otherwise."""

    media_type = PROTOBUF

    def spans_of(self, body: bytes) -> list[WireSpan]:
        request = ExportTraceServiceRequest()
        try:
            request.ParseFromString(body)
            return spans_of_message(request)
        except (DecodeError, RecursionError):
            raise Invalid.at("", _("The body is no ExportTraceServiceRequest.")) from None


class OtlpJSONParser(OtlpParser):
    """`application/json`: the same in JSON."""

    media_type = "application/json"

    def spans_of(self, body: bytes) -> list[WireSpan]:
        try:
            return spans_of_json(read_json(body))
        except NotOtlp:
            raise Invalid.at("", _("The body is no ExportTraceServiceRequest.")) from None


def _unpacked(stream: IO[bytes]) -> Iterator[bytes]:
    """The pieces of a gzipped body; each is bounded, however much a small one unpacks to."""
    unpacker = zlib.decompressobj(wbits=GZIP)
    try:
        while piece := stream.read(PIECE):
            while piece:
                yield unpacker.decompress(piece, PIECE)
                piece = unpacker.unconsumed_tail
        yield unpacker.flush()
    except zlib.error:
        raise Invalid.at("", _("The body is not gzipped.")) from None
    if not unpacker.eof:
        raise Invalid.at("", _("The gzipped body is cut off."))


def _bounded(pieces: Iterator[bytes]) -> bytes:
    body = bytearray()
    for piece in pieces:
        body += piece
        if len(body) > LIMITS.otlp_body_bytes:
            raise TooLarge(_("The body is larger than %(limit)s bytes.") % {"limit": f"{LIMITS.otlp_body_bytes:,}"})
    return bytes(body)


class OtlpProtobufRenderer(BaseRenderer):
    """Answers in protobuf: an `ExportTraceServiceResponse`, or where the request was refused a `google.rpc.Status`."""

    media_type = PROTOBUF
    format = "protobuf"
    charset = None
    render_style = "binary"

    def render(self, data: Any, accepted_media_type: Any = None, renderer_context: Any = None) -> bytes:
        if data is None:
            return b""
        if "code" in data:
            return _status(data["code"], data["message"])
        return ParseDict(data, ExportTraceServiceResponse()).SerializeToString()


def _status(code: int, message: str) -> bytes:
    """`google.rpc.Status` on the wire: field 1 the code, field 2 the message. Its package is not worth two fields."""
    text = message.encode()
    return b"\x08" + _varint(code) + b"\x12" + _varint(len(text)) + text


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:
        found.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*found, number])


class SameAsSent(BaseContentNegotiation):
    """The answer comes in the form of the request, as OTLP wants it; `Accept` is not asked."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return next((parser for parser in parsers if parser.media_type == _sent_type(request)), None)

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        renderer = OtlpProtobufRenderer() if _sent_type(request) == PROTOBUF else JSONRenderer()
        return renderer, renderer.media_type


def _sent_type(request: Request) -> str:
    return str(request.content_type or "").partition(";")[0].strip().lower()
