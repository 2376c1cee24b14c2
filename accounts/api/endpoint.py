"""Endpoint: the view class that every endpoint of the API inherits from."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, cast

from django.db.models import QuerySet
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import APIException
from rest_framework.fields import ListField
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from accounts.actor import Actor
from accounts.api.idempotency import once
from core.api.etags import etag_of, has_it_already, require_match
from core.api.pagination import keyset_answer, numbered_answer, segmented_answer
from core.api.serializers import UNKNOWN_PARAMETER, StrictSerializer
from core.errors import Invalid, Problem
from core.paging import Order, Segment

Prepare = Callable[[list[Any]], list[Any]]
WRITES = ("post", "put", "patch", "delete")


class LengthRequired(APIException):
    """411: a body in pieces without a length cannot be read here, and would look like none."""

    status_code = 411
    default_detail = _("Send the body with its Content-Length.")


class Endpoint(APIView):
    """One address and its methods. Each method reads, calls one operation or query, and answers.

    Writes run in one transaction and honour `Idempotency-Key` without the endpoint's doing. Errors are raised, never
    returned: `core.api.errors` turns them into answers.
    """

    prepared: Any = None
    # Whether `prepare` does what may not be done twice, such as asking an agent: its key is taken before it.
    acts_before: bool = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in WRITES:
            if name in vars(cls):
                setattr(cls, name, once(vars(cls)[name]))

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Credentials and rates first, then what no method may be sent."""
        super().initial(request, *args, **kwargs)
        described = getattr(getattr(self, str(request.method).lower(), None), "casebook", None)
        if described is not None and described.query is None and request.query_params:
            raise Invalid(Problem(name, str(UNKNOWN_PARAMETER)) for name in request.query_params)
        if "HTTP_TRANSFER_ENCODING" in request.META and "CONTENT_LENGTH" not in request.META:
            raise LengthRequired

    def prepare(self, request: Request, *args: Any, **kwargs: Any) -> Any:
        """What a write reads before its transaction begins; the method finds it as `self.prepared`.

        For what may take long, such as a file: on SQLite a transaction holds the one write lock of all.
        """
        return None

    def before_replay(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Asked before a first answer is given again: raises `NotFound` where the caller has lost sight of the thing.

        A thing that is gone may be answered about again, since that answer says how it went.
        """

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Nothing of the API is kept by caches on the way (ACC-D21)."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", "no-store")
        patch_vary_headers(response, ["Authorization", "Cookie"])
        return response

    @property
    def actor(self) -> Actor:
        """Who asks; handed to every operation and query."""
        return cast(Actor, self.request.auth)

    def read(self, body: type[StrictSerializer], **context: Any) -> dict[str, Any]:
        """The body by its serializer; raises ValidationError (422). Keys that were not sent are not in the result."""
        serializer = body(data=self.request.data, context={"actor": self.actor, **context})
        serializer.is_valid(raise_exception=True)
        found: dict[str, Any] = serializer.validated_data
        return found

    def query(self, parameters: type[StrictSerializer]) -> dict[str, Any]:
        """The query string by its serializer: an unknown or repeated parameter is 422 naming it, as in a body."""
        sent = self.request.query_params
        fields = parameters().fields
        lists = {name for name, field in fields.items() if isinstance(field, ListField)}
        data = {name: values if name in lists else _only(values) for name, values in sent.lists()}
        serializer = parameters(data=data)
        serializer.is_valid(raise_exception=True)
        found: dict[str, Any] = serializer.validated_data
        return found

    def json_of(self, thing: Any, out: type[BaseSerializer[Any]]) -> Any:
        """The thing as this caller sees it."""
        return out(thing, context={"actor": self.actor}).data

    def answer(self, thing: Any, out: type[BaseSerializer[Any]], *, status: int = 200, location: str = "") -> Response:
        """The thing with its ETag; 304 without a body where a reader has it already. `location` for 201."""
        data = self.json_of(thing, out)
        headers = {"ETag": etag_of(data)} | ({"Location": location} if location else {})
        if self.request.method in ("GET", "HEAD") and has_it_already(self.request, headers["ETag"]):
            return Response(status=304, headers=headers)
        return Response(data, status=status, headers=headers)

    def require_match(self, thing: Any, out: type[BaseSerializer[Any]]) -> None:
        """Raise Stale (412) where `If-Match` was sent and the thing has changed; read it with its row locked."""
        require_match(self.request, self.json_of(thing, out))

    def keyset(
        self,
        rows: QuerySet[Any] | Sequence[Any],
        order: Sequence[Order],
        query: dict[str, Any],
        out: type[BaseSerializer[Any]],
        *,
        prepare: Prepare = list,
    ) -> Response:
        """A page by cursor: `{"results", "next", "previous"}`. `prepare` may complete or turn the rows of the page."""
        return keyset_answer(self.request, rows, order, query, partial(self._json_of_all, out, prepare))

    def segmented(
        self,
        segments: Sequence[Segment[Any]],
        query: dict[str, Any],
        out: type[BaseSerializer[Any]],
        *,
        prepare: Prepare = list,
    ) -> Response:
        """The same of a list whose segments follow each other."""
        return segmented_answer(self.request, segments, query, partial(self._json_of_all, out, prepare))

    def numbered(
        self,
        rows: QuerySet[Any],
        query: dict[str, Any],
        out: type[BaseSerializer[Any]],
        *,
        prepare: Prepare = list,
    ) -> Response:
        """A page by number: `{"results", "total", "page", "page_size", "next", "previous"}`; `rows` come ordered."""
        return numbered_answer(self.request, rows, query, partial(self._json_of_all, out, prepare))

    def _json_of_all(self, out: type[BaseSerializer[Any]], prepare: Prepare, rows: list[Any]) -> Any:
        return out(prepare(rows), many=True, context={"actor": self.actor}).data

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Response:
        """Which methods there are, in `Allow`; the same for every id."""
        return Response(status=204)


class AnyAccept(BaseContentNegotiation):
    """Answers whatever `Accept` says: for endpoints that send a file, whose type is known from the address."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return next((parser for parser in parsers if _is(request.content_type, parser.media_type)), None)

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type


def _is(content_type: str, media_type: str) -> bool:
    return content_type.partition(";")[0].strip().lower() == media_type


def _only(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values
