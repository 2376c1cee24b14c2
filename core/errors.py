"""The domain errors that operations and queries raise, and the HTTP status each becomes (PL-41).

One table serves console and API alike: `STATUS[type(error)]`. An error says what happened in words for the person who
caused it; it never carries text of somebody's case, an answer or a secret.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Problem:
    """One thing wrong with what was sent.

    `field` is a dotted path (`checks.0.type`), empty for the whole body; `row` is the row of a file as a spreadsheet
    or an editor numbers it (DS-D42), None outside files.
    """

    field: str
    message: str
    row: int | None = None

    def as_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = {"field": self.field, "message": self.message}
        return found if self.row is None else found | {"row": self.row}


class DomainError(Exception):
    """The root of everything that an operation may refuse. `str()` is a sentence for a person."""


class NotFound(DomainError):
    """The object does not exist or may not be known to the actor; the two look the same (ACC-D9)."""

    def __init__(self) -> None:
        super().__init__(_("Not found."))


class NotAllowed(DomainError):
    """The object is visible, the act is not allowed."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or _("You are not allowed to do this."))


class Invalid(DomainError):
    """What was sent breaks a rule; `problems` names each place."""

    def __init__(self, problems: Iterable[Problem], message: str = "") -> None:
        self.problems = tuple(problems)
        super().__init__(message or _("The data is not valid."))

    @classmethod
    def at(cls, place: str, message: str) -> "Invalid":
        return cls([Problem(place, message)])


class Conflict(DomainError):
    """The state does not allow the act; `code` names why (DS-D2), `data` holds what a client needs to go on."""

    def __init__(self, code: str, message: str, data: Mapping[str, Any] | None = None) -> None:
        self.code = code
        self.data = dict(data or {})
        super().__init__(message)


class Stale(DomainError):
    """The `If-Match` of a write names another state than the present one (RFC 9110, 13.1.1)."""

    def __init__(self) -> None:
        super().__init__(_("It has changed since you read it."))


class TooLarge(DomainError):
    """The body or file is over its limit in bytes."""


@dataclass
class Throttled(DomainError):
    """Too many requests; `seconds` until the next may come."""

    seconds: int
    message: str = field(default="")

    def __str__(self) -> str:
        return self.message or _("Too many requests. Try again in %(seconds)d seconds.") % {"seconds": self.seconds}


STATUS: dict[type[DomainError], int] = {
    NotFound: 404,
    NotAllowed: 403,
    Invalid: 422,
    Conflict: 409,
    Stale: 412,
    TooLarge: 413,
    Throttled: 429,
}


def status_of(error: DomainError) -> int:
    """The HTTP status of a domain error; subclasses take the status of the nearest listed ancestor."""
    return next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
