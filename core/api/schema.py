"""How the OpenAPI schema is read from our endpoints: `describe` beside each method, and what all of them share."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers

from core.api.serializers import StrictSerializer
from core.limits import LIMITS

Method = TypeVar("Method", bound=Callable[..., Any])
WRITES = ("POST", "PUT", "PATCH", "DELETE")


class ProblemOut(serializers.Serializer[Any]):
    """One thing wrong with what was sent."""

    field = serializers.CharField(allow_blank=True, help_text="A dotted path such as `checks.0.type`; empty for all.")
    message = serializers.CharField()
    row = serializers.IntegerField(required=False, help_text="The row of a file.")


class ErrorOut(serializers.Serializer[Any]):
    """Why a request was refused."""

    detail = serializers.CharField()


class InvalidOut(ErrorOut):
    """Each thing wrong with what was sent."""

    errors = ProblemOut(many=True)  # type: ignore[assignment]


class ConflictOut(ErrorOut):
    """Why the state does not allow it; some codes come with more keys."""

    code = serializers.CharField()


REFUSALS: dict[str, tuple[type[serializers.Serializer[Any]], str]] = {
    "401": (ErrorOut, "No credential, or one that is unknown, expired or revoked."),
    "403": (ErrorOut, "Visible, but not allowed."),
    "404": (ErrorOut, "Not there, or not to be known to you."),
    "406": (ErrorOut, "No type of answer that `Accept` takes."),
    "409": (ConflictOut, "The present state does not allow it; `code` says why."),
    "412": (ErrorOut, "It has changed since the ETag that `If-Match` names."),
    "413": (ErrorOut, "Larger than the limit."),
    "415": (ErrorOut, "Not a type of body that this endpoint takes."),
    "422": (InvalidOut, "What was sent cannot be taken: each problem with its place."),
    "429": (ErrorOut, "Too many requests; try again after `Retry-After` seconds."),
}

IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    str,
    OpenApiParameter.HEADER,
    description=(
        "Makes a repeated request safe: the first answer is given again, with `Idempotent-Replayed: true`, for "
        f"{LIMITS.idempotency_hours} hours. The same key with another request is 422. Only successes are remembered."
    ),
    pattern=r"^[!-~]+$",
)
IF_MATCH = OpenApiParameter(
    "If-Match",
    str,
    OpenApiParameter.HEADER,
    description="An ETag: refuse with 412 if it has changed since.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    str,
    OpenApiParameter.HEADER,
    description="An ETag: answer 304 if it is still the same.",
)


@dataclass(frozen=True)
class Described:
    """What `describe` was told, for `CasebookSchema`."""

    etag: bool = False
    paged: str = ""
    codes: tuple[str, ...] = ()
    query: Any = None
    names_things: bool = False


def describe(
    tag: str,
    *,
    answer: Any = None,
    status: int = 200,
    unchanged: int | None = None,
    body: Any = None,
    query: Any = None,
    paged: str = "",
    etag: bool = False,
    conflicts: tuple[str, ...] = (),
    operation_id: str | None = None,
    files: tuple[str, ...] = (),
    names_things: bool = False,
) -> Callable[[Method], Method]:
    """Say what a method takes and gives. The docstring's first sentence becomes the summary, the rest the text.

    `answer`, `body` and `query` are serializers; `paged` is "keyset" or "numbered"; `etag` for a method that sends one
    or honours `If-Match`; `unchanged` the status with the same answer where nothing had to be changed; `conflicts`
    lists the codes of 409; `files` the media types where the answer is a file; `names_things` says that the body or the
    query names things, so that 404 may come where the address has no id.
    """

    def decorate(method: Method) -> Method:
        given = page_of(answer, paged) if paged else answer
        key: Any = (status, *files) if files else status
        responses: dict[Any, Any] = {key: bytes if files else OpenApiResponse(given, description="Done.")}
        if unchanged:
            responses[unchanged] = OpenApiResponse(given, description="Nothing had to be changed.")
        extended: Method = extend_schema(
            tags=[tag],
            operation_id=operation_id,
            request=body,
            responses=responses,
            parameters=[query] if query else None,
        )(method)
        extended.casebook = Described(etag, paged, conflicts, query, names_things)  # type: ignore[attr-defined]
        return extended

    return decorate


_PAGES: dict[tuple[Any, str], type[serializers.Serializer[Any]]] = {}


def page_of(row: type[serializers.BaseSerializer[Any]], paged: str) -> type[serializers.Serializer[Any]]:
    """The serializer class of a page of these rows, one for each kind of row and of paging."""
    if (row, paged) not in _PAGES:
        fields: dict[str, Any] = {"results": row(many=True)}
        if paged == "numbered":
            fields |= {name: serializers.IntegerField() for name in ("total", "page", "page_size")}
        fields |= {name: serializers.URLField(allow_null=True) for name in ("next", "previous")}
        fields["__doc__"] = "Some rows, and the addresses of the pages around them."
        _PAGES[row, paged] = type(f"PageOf{row.__name__}", (serializers.Serializer,), fields)
    return _PAGES[row, paged]


class CasebookSchema(AutoSchema):
    """The defaults of drf-spectacular plus what every endpoint has: refusals, ETags, `Idempotency-Key`."""

    def get_override_parameters(self) -> list[Any]:
        parameters: list[Any] = []
        described = self._described()
        if self.method in WRITES:
            parameters.append(IDEMPOTENCY_KEY)
        if described.etag and self.method != "POST":
            parameters.append(IF_NONE_MATCH if self.method == "GET" else IF_MATCH)
        return parameters

    def _map_basic_serializer(self, serializer: Any, direction: Any) -> Any:
        """A body that refuses unknown keys says so."""
        mapped = super()._map_basic_serializer(serializer, direction)
        if isinstance(serializer, StrictSerializer):
            mapped["additionalProperties"] = False
        return mapped

    def get_operation_id(self) -> str:
        """Method and address, such as `get_datasets_dataset_id`: unique without anybody's doing."""
        return "_".join([self.method.lower(), *re.findall(r"\w+", self.path.removeprefix("/api/v1"))])

    def get_summary(self) -> str | None:
        return self._words()[0] or None

    def get_description(self) -> str:  # type: ignore[override]
        return self._words()[1]

    def _words(self) -> tuple[str, str]:
        text = inspect.cleandoc(getattr(self._method(), "__doc__", None) or "")
        first, _end, rest = text.partition("\n\n")
        summary, _stop, more = " ".join(first.split()).partition(". ")
        return summary.rstrip("."), "\n\n".join(part for part in (more, rest) if part)

    def _method(self) -> Any:
        return getattr(self.view, self.method.lower(), None)

    def _described(self) -> Described:
        return getattr(self._method(), "casebook", Described())

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        responses = super()._get_response_bodies(direction)
        described = self._described()
        for code, response in responses.items():
            response["description"] = response.get("description") or "Done."
            if described.etag:
                response.setdefault("headers", {})["ETag"] = _header("Names this state of the object.")
            if self.method in WRITES:
                text = "`true` where this is the first answer again."
                response.setdefault("headers", {})["Idempotent-Replayed"] = _header(text)
            if code == "201":
                response["headers"]["Location"] = _header("The address of what was made.")
        if described.etag and self.method == "GET":
            responses["304"] = {"description": "Still the same as `If-None-Match` says."}
        for code in self._refusals(described):
            responses[code] = self._refusal(code, described, direction)
        return responses

    def _refusals(self, described: Described) -> list[str]:
        codes = ["401", "403", "406", "422", "429"]
        if "{" in self.path or described.names_things:
            codes.append("404")
        if self.method in WRITES:
            codes += ["409", "413", "415"] + (["412"] if described.etag else [])
        elif described.codes:
            codes.append("409")
        return sorted(codes)

    def _refusal(self, code: str, described: Described, direction: Any) -> Any:
        serializer, text = REFUSALS[code]
        if code == "409" and described.codes:
            text += " " + ", ".join(f"`{name}`" for name in described.codes) + "."
        response = self._get_response_for_code(OpenApiResponse(serializer, description=text), code, None, direction)
        response["content"] = {"application/json": next(iter(response["content"].values()))}
        if code == "429":
            response["headers"] = {"Retry-After": _header("Seconds to wait.", "integer")}
        if code == "401":
            response["headers"] = {"WWW-Authenticate": _header("`Bearer`.")}
        return response


def _header(text: str, kind: str = "string") -> dict[str, Any]:
    return {"description": text, "schema": {"type": kind}}
