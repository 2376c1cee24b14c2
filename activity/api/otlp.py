"""The endpoint of OpenTelemetry: `POST /otlp/v1/traces`, as OTLP/HTTP says (PL-33)."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.endpoint import Endpoint
from activity.api.otlp_wire import PROTOBUF, OtlpJSONParser, OtlpProtobufParser, OtlpProtobufRenderer, SameAsSent
from activity.operations.otlp import Rejections, as_id, receive_spans
from core.api.schema import describe
from core.api.serializers import StrictSerializer
from core.errors import NotFound

# The codes of google.rpc by the status they belong to.
CODES = {400: 3, 401: 16, 403: 7, 404: 5, 409: 10, 413: 3, 415: 3, 429: 8, 503: 14}
UNKNOWN = 2
BODY = {"type": "object", "description": "An ExportTraceServiceRequest in JSON.", "additionalProperties": True}
RAW = {"type": "string", "format": "binary", "description": "An ExportTraceServiceRequest."}


class TracesQuery(StrictSerializer):
    """Which agent the traces are of, where they do not say it."""

    agent = serializers.CharField(required=False, help_text="The id of an agent.")


class PartialSuccessOut(serializers.Serializer[Any]):
    """What was not taken, where something was not."""

    rejectedSpans = serializers.CharField(help_text="A number, as text.")  # noqa: N815 (OTLP's name)
    errorMessage = serializers.CharField()  # noqa: N815


class TracesOut(serializers.Serializer[Any]):
    """An ExportTraceServiceResponse; empty where all was taken."""

    partialSuccess = PartialSuccessOut(required=False)  # noqa: N815


class StatusOut(serializers.Serializer[Any]):
    """Why the request was refused, as `google.rpc.Status` and as the rest of the API says it."""

    code = serializers.IntegerField()
    message = serializers.CharField()
    detail = serializers.CharField()


class Traces(Endpoint):
    """Traces of agents that are instrumented for OpenTelemetry."""

    parser_classes = [OtlpProtobufParser, OtlpJSONParser]
    renderer_classes = [OtlpProtobufRenderer, JSONRenderer]
    content_negotiation_class = SameAsSent

    @extend_schema(
        responses={
            200: OpenApiResponse(TracesOut, description="Taken, but for what `partialSuccess` says."),
            400: OpenApiResponse(StatusOut, description="The body cannot be read; sending it again does not help."),
        }
    )
    @describe(
        "Runs",
        body={PROTOBUF: RAW, "application/json": BODY},
        query=TracesQuery,
        answer=TracesOut,
        names_things=True,
    )
    def post(self, request: Request) -> Response:
        """Send OpenTelemetry traces.

        Spans that follow the GenAI semantic conventions become runs: one for each outermost agent span. The agent is
        named by `gen_ai.agent.id` or the resource attribute `casebook.agent.id`, else by `?agent=`, and needs
        `agents:run`. Other spans are taken and not kept. Protobuf or JSON, perhaps gzipped; the answer has the form of
        the request, and so have refusals.
        """
        sent = self.query(TracesQuery).get("agent") or request.headers.get("X-Casebook-Agent")
        spans: Any = request.data
        rejections = receive_spans(self.actor, spans=spans, agent_id=_agent_id(sent))
        return Response(_answer(rejections))

    def handle_exception(self, exc: Exception) -> Response:
        """A refusal as OTLP says it: what can never be taken is 400."""
        response = super().handle_exception(exc)
        status = 400 if response.status_code == 422 else response.status_code
        data: dict[str, Any] = response.data or {}
        errors = " ".join(str(each["message"]) for each in data.get("errors", []))
        message = " ".join(part for part in (str(data.get("detail", "")), errors) if part)
        response.status_code = status
        response.data = data | {"code": CODES.get(status, UNKNOWN), "message": message}
        return response


def _agent_id(sent: str | None) -> UUID | None:
    if not sent:
        return None
    found = as_id(sent)
    if found is None:
        raise NotFound
    return found


def _answer(rejections: Rejections) -> dict[str, Any]:
    if not rejections.count:
        return {}
    return {"partialSuccess": {"rejectedSpans": str(rejections.count), "errorMessage": rejections.message}}
