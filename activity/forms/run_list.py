"""What the address of the list of runs says: filters, time, page, the run in the panel."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.http import QueryDict
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from activity.models import RunKind, RunRating, RunStatus
from activity.places import kept_parameters
from activity.queries.runs import RunFilter
from core.limits import LIMITS

CUSTOM = "custom"
QUICK = {"1h": timedelta(hours=1), "24h": timedelta(days=1), "7d": timedelta(days=7), "30d": timedelta(days=30)}
RANGES: dict[str, str | Promise] = {
    "1h": _("Last hour"),
    "24h": _("Last 24 hours"),
    "7d": _("Last 7 days"),
    "30d": _("Last 30 days"),
    CUSTOM: _("From … to …"),
}
NOT_OF_THE_LIST = ("run", "from")


@dataclass(frozen=True)
class RunListState:
    """The address, read leniently: what is not understood is left out, so that an old link still opens the page."""

    filter: RunFilter
    range: str
    since: date | None
    until: date | None
    cursor: str
    run_id: UUID | None
    list_query: str
    kept: list[tuple[str, str]]

    @classmethod
    def of(cls, query: QueryDict) -> "RunListState":
        since, until = _day(query.get("since")), _day(query.get("until"))
        chosen = _one_of(query.get("range"), list(RANGES)) or (CUSTOM if since or until else "")
        if chosen != CUSTOM:
            since = until = None
        return cls(
            filter=RunFilter(
                search=query.get("q", "")[: LIMITS.search_characters],
                agent_id=id_of(query.get("agent")),
                kind=_one_of(query.get("kind"), RunKind.values),
                status=_one_of(query.get("status"), RunStatus.values),
                rating=_one_of(query.get("rating"), RunRating.values),
                since=_beginning(chosen, since),
                until=_midnight(until + timedelta(days=1)) if until and until < date.max else None,
            ),
            range=chosen,
            since=since,
            until=until,
            cursor=query.get("after") or query.get("before") or "",
            run_id=id_of(query.get("run")),
            list_query=list_query(query),
            kept=[(name, str(query[name])) for name in kept_parameters() if name in query],
        )


def list_query(query: QueryDict) -> str:
    """The list's own part of an address, from the list's page or a run's."""
    kept = query.copy()
    for name in NOT_OF_THE_LIST:
        kept.pop(name, None)
    return kept.urlencode()


def id_of(text: str | None) -> UUID | None:
    """The id that an address names; one that is none is nobody's."""
    try:
        return UUID(text) if text else None
    except ValueError:
        return UUID(int=0)


def _beginning(chosen: str, since: date | None) -> datetime | None:
    if chosen in QUICK:
        return timezone.now() - QUICK[chosen]
    return _midnight(since) if since else None


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, time.min))


def _day(text: str | None) -> date | None:
    try:
        found = date.fromisoformat(text) if text else None
    except ValueError:
        return None
    # The calendar's very ends cannot be turned into moments of every time zone.
    return found if found and 2 < found.year < 9998 else None


def _one_of(text: str | None, known: list[str]) -> str:
    return text if text and text in known else ""
