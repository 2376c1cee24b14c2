"""The pages and parts that people see when something is refused; one look for console errors of every kind."""

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from core.errors import DomainError, Invalid, NotAllowed, NotFound, Throttled, TooLarge, status_of
from core.logging import logger

log = logger("casebook.errors")


def domain_error_page(request: HttpRequest, error: DomainError) -> HttpResponse:
    """The page, or the message part for htmx, of a domain error that no form shows in place."""
    if isinstance(error, NotFound):
        return not_found(request)
    lines = [problem.message for problem in error.problems] if isinstance(error, Invalid) else []
    response = _page(request, status_of(error), _title_of(error), str(error), lines)
    if isinstance(error, Throttled):
        response["Retry-After"] = str(error.seconds)
    return response


def _title_of(error: DomainError) -> str:
    if isinstance(error, NotAllowed):
        return _("Not allowed")
    if isinstance(error, TooLarge):
        return _("Too large")
    if isinstance(error, Throttled):
        return _("Too many requests")
    return _("This cannot be done")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """404: the same bytes whether the thing does not exist or may not be known (ACC-D9)."""
    return _page(request, 404, _("Not found"), _("There is nothing at this address, or you may not see it."))


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return _page(request, 403, _("Not allowed"), _("You are not allowed to do this."))


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """400, or 413 for a form that is over a limit: Django calls this for both."""
    if isinstance(exception, RequestDataTooBig | TooManyFieldsSent | TooManyFilesSent):
        return _page(request, 413, _("Too large"), _("The request is too large."))
    return _page(request, 400, _("Bad request"), _("The request could not be read."))


def server_error(request: HttpRequest) -> HttpResponse:
    """500; in plain text where the page cannot be made either, as when the database is gone."""
    message = _("Something went wrong on our side. Nothing was saved. The log has the details under this request.")
    try:
        return _page(request, 500, _("Something went wrong"), message)
    except Exception as error:
        log.error("error_page.failed", exc_info=error)
        return HttpResponse(message, status=500, content_type="text/plain; charset=utf-8")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    message = _("This page was open for too long, or your browser sends no cookies. Reload it and try again.")
    return _page(request, 403, _("The form has expired"), message)


def _page(request: HttpRequest, status: int, title: str, message: str, lines: list[str] | None = None) -> HttpResponse:
    if request.path.startswith("/api/"):
        return JsonResponse({"detail": message}, status=status)
    template = "errors/part.html" if request.headers.get("HX-Request") else "errors/page.html"
    # The page of a 500 is made without context processors: what failed may be what they read.
    context = {"title": title, "message": message, "lines": lines or []}
    response = render(None if status == 500 else request, template, context, status=status)
    response["Cache-Control"] = "no-store"
    response["Vary"] = "HX-Request, Cookie, Accept-Language"
    return response
