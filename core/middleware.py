"""Middleware that every request passes: its id and log line, the client's address, health, domain errors."""

import re
import time
from collections.abc import Callable
from ipaddress import ip_address
from uuid import uuid4

import structlog
from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from core.errors import DomainError
from core.logging import logger
from core.views import health
from core.views.errors import domain_error_page

log = logger("casebook.request")
GetResponse = Callable[[HttpRequest], HttpResponse]
HEALTH = {"/healthz": health.healthz, "/readyz": health.readyz}
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")


class RequestIdMiddleware:
    """Gives each request an id (its own `X-Request-Id` where that is well formed) and writes one log line for it.

    The line holds the route's pattern and not the path with its query: search terms and file names stay out of logs
    (ACC-D46).
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.headers.get("X-Request-Id", "")
        request_id = sent if REQUEST_ID.fullmatch(sent) else uuid4().hex
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        started = time.monotonic()
        response = self.get_response(request)
        response["X-Request-Id"] = request_id
        match = request.resolver_match
        log.info(
            "request",
            method=request.method,
            route=match.route if match else "",
            status=response.status_code,
            ms=round((time.monotonic() - started) * 1000, 1),
        )
        return response


class ClientAddressMiddleware:
    """Puts the client's address into REMOTE_ADDR where trusted proxies stand in front (TRUSTED_PROXIES)."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        hops = [hop.strip() for hop in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")]
        if settings.TRUSTED_PROXIES and len(hops) >= settings.TRUSTED_PROXIES:
            client = hops[-settings.TRUSTED_PROXIES]
            if _is_address(client):
                request.META["REMOTE_ADDR"] = client
        return self.get_response(request)


def _is_address(text: str) -> bool:
    """An address without a zone, which is a name of any length that whoever sends it makes up."""
    if "%" in text:
        return False
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


class ReadableRequestMiddleware:
    """Refuses, before anybody reads it, what no page could: another charset than UTF-8, and NUL in a page's query.

    What came in another charset would be read wrongly, since the requests that config/wsgi.py makes are read as UTF-8
    whatever they name. PostgreSQL takes no NUL; forms refuse it, and the API's own checks name the parameter.
    """

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if (request.content_params or {}).get("charset", "utf-8").lower() not in ("utf-8", "utf8"):
            raise BadRequest("a charset other than UTF-8")
        if "%00" in request.META.get("QUERY_STRING", "") and not request.path_info.startswith("/api/"):
            raise BadRequest("NUL in the query")
        return self.get_response(request)


class HealthMiddleware:
    """Answers /healthz and /readyz before sessions and host names are looked at: monitors ask by bare address."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        view = HEALTH.get(request.path_info)
        return view(request) if view else self.get_response(request)


class DomainErrorMiddleware:
    """Turns a domain error of a console view into its page or part; the API has its own handler on the same table."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        return domain_error_page(request, error) if isinstance(error, DomainError) else None
