"""What went wrong, as the API says it: one mapping for domain errors, the framework's and the database's (PL-41).

Every refusal has `detail`, a sentence. 422 adds `errors`, one entry a problem with `field` (a dotted path, empty for
the whole body), `message` and, for files, `row`. 409 adds `code` and what the client needs to go on. A body that is not
JSON is 422 too: PL-41 gives a refused body one status.
"""

from collections.abc import Iterator
from typing import Any

from django.core.exceptions import (
    BadRequest,
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.core.exceptions import (
    ValidationError as DjangoValidationError,
)
from django.db import DataError, IntegrityError, OperationalError
from django.http import Http404
from django.http.multipartparser import MultiPartParserError
from django.http.request import UnreadablePostError
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import set_rollback

from core.errors import Conflict, DomainError, Invalid, NotAllowed, NotFound, Problem, Throttled, TooLarge, status_of
from core.json_words import words_of
from core.logging import logger
from core.strict_json import JSONFault

log = logger("casebook.api")


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an exception of an endpoint, or None where it is a fault of ours (500)."""
    known = _as_domain_error(error)
    if known is not None:
        set_rollback()
        return _answer(known)
    if isinstance(error, exceptions.APIException):
        set_rollback()
        return Response({"detail": str(error.detail)}, status=error.status_code, headers=_headers(error))
    return _of_the_database(error)


def _answer(error: DomainError) -> Response:
    body: dict[str, Any] = {"detail": str(error)}
    headers = {}
    if isinstance(error, Invalid):
        body["errors"] = [problem.as_dict() for problem in error.problems]
    if isinstance(error, Conflict):
        body = {**error.data, "detail": str(error), "code": error.code}
    if isinstance(error, Throttled):
        headers["Retry-After"] = str(max(1, error.seconds))
    return Response(body, status=status_of(error), headers=headers)


def _headers(error: exceptions.APIException) -> dict[str, str]:
    challenge = getattr(error, "auth_header", None)
    return {"WWW-Authenticate": challenge} if challenge else {}


def _as_domain_error(error: Exception) -> DomainError | None:
    """The domain error that says the same, for those of the frameworks that have one."""
    match error:
        case DomainError():
            return error
        case Http404():
            return NotFound()
        case PermissionDenied():
            return NotAllowed()
        case RequestDataTooBig() | TooManyFieldsSent() | TooManyFilesSent():
            return TooLarge(_("The request is too large."))
        case exceptions.ValidationError():
            return Invalid(problems_of(error.detail))
        case DjangoValidationError():
            return Invalid(Problem("", message) for message in error.messages)
        case JSONFault():
            return Invalid([Problem("", words_of(error))], _("The body cannot be read."))
        case exceptions.ParseError() | MultiPartParserError():
            return Invalid([Problem("", str(error))], _("The body cannot be read."))
        case exceptions.Throttled():
            return Throttled(seconds=int(getattr(error, "wait", None) or 1))
    return None


def _of_the_database(error: Exception) -> Response | None:
    """A net under the checks: what only the database noticed is a refusal, not a 500; each is logged as a gap."""
    match error:
        case IntegrityError():
            status, detail = 409, _("Somebody else has just done the same. Nothing was stored.")
        case DataError() | OverflowError():
            status, detail = 422, _("A value cannot be stored.")
        case OperationalError():
            status, detail = 503, _("The database is busy. Nothing was stored. Try again.")
        case SuspiciousOperation() | BadRequest() | UnreadablePostError():
            status, detail = 400, _("The request could not be read.")
        case _:
            return None
    if status != 400:
        log.error("api.only_the_database_noticed", status=status, exc_info=error)
    set_rollback()
    body: dict[str, Any] = {"detail": detail}
    if status == 409:
        body["code"] = "conflict"
    if status == 422:
        body["errors"] = [{"field": "", "message": detail}]
    return Response(body, status=status, headers={"Retry-After": "1"} if status == 503 else {})


def problems_of(detail: Any, path: str = "") -> Iterator[Problem]:
    """The problems of a serializer's nested `detail`, with dotted paths such as `checks.0.type`."""
    if isinstance(detail, dict):
        for name, inner in detail.items():
            own = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from problems_of(inner, path if own else _joined(path, str(name)))
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            nested = isinstance(inner, dict | list)
            yield from problems_of(inner, _joined(path, str(index)) if nested else path)
    else:
        yield Problem(path, str(detail))


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
