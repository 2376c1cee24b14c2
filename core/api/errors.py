"""What went wrong, as the API says it."""

from typing import Any

from rest_framework.response import Response
from rest_framework.views import exception_handler

from core.errors import DomainError, Invalid, status_of


def handle_exception(error: Exception, context: dict[str, Any]) -> Response | None:
    """Domain errors by the one table, everything else as the framework says."""
    if isinstance(error, DomainError):
        body: dict[str, Any] = {"detail": str(error)}
        if isinstance(error, Invalid):
            body["errors"] = [problem.as_dict() for problem in error.problems]
        return Response(body, status=status_of(error))
    return exception_handler(error, context)
