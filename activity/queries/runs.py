"""Reading runs: the list of Activity with its filters, and one run with what its page shows (PL-31)."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import BooleanField, F, Func, QuerySet

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from activity.logic.question_words import words_of
from activity.models import Run, RunStatus
from activity.queries.question_words import with_words
from agents.models import Agent
from core.errors import NotFound
from core.folding import fold
from core.paging import Order

NEWEST_FIRST = [Order("started_at", descending=True), Order("id", descending=True)]
NAMED = ("agent", "agent_version", "conversation", "person__member__user", "started_by__user")
# The conditions of the two small indexes, to the letter: SQLite takes an index of some rows only where it reads them.
NOT_COMPLETED = Func(F("status"), template="NOT (%(expressions)s = 'completed')", output_field=BooleanField())
RATED = Func(F("rating"), template="NOT (%(expressions)s = '')", output_field=BooleanField())
# What a list does not show and may be long.
LONG = ("error", "question_folded")


@dataclass(frozen=True)
class RunFilter:
    """What to look for. `since` is the first moment, `until` the first one after; `search` words of the question."""

    search: str = ""
    agent_id: UUID | None = None
    kind: str = ""
    status: str = ""
    rating: str = ""
    since: datetime | None = None
    until: datetime | None = None

    @property
    def is_empty(self) -> bool:
        return not any(vars(self).values())


def runs(actor: Actor, wanted: RunFilter) -> QuerySet[Run]:
    """The runs of the actor's organisation that match; order and paging are the caller's (`NEWEST_FIRST`).

    Raises `NotAllowed` without `runs:view`, which reads every run of the organisation (DS-175).
    """
    access.require(actor, Permission.RUNS_VIEW)
    found = Run.objects.filter(organisation_id=actor.organisation_id)
    equal = {"agent_id": wanted.agent_id, "kind": wanted.kind, "status": wanted.status, "rating": wanted.rating}
    found = found.filter(**{name: value for name, value in equal.items() if value})
    if wanted.status not in ("", RunStatus.COMPLETED):
        found = found.filter(NOT_COMPLETED)
    if wanted.rating:
        found = found.filter(RATED)
    if wanted.since:
        found = found.filter(started_at__gte=wanted.since)
    if wanted.until:
        found = found.filter(started_at__lt=wanted.until)
    words = words_of(fold(wanted.search))
    if wanted.search.strip() and not words:
        return found.none()
    return with_words(found, words) if words else found


def listed(found: QuerySet[Run]) -> QuerySet[Run]:
    """The runs with the names that a list shows, and without what it does not."""
    return found.select_related("agent", "agent_version", "person__member__user").defer(
        *LONG, "agent__draft", "agent_version__spec"
    )


def has_runs(actor: Actor) -> bool:
    """Whether the organisation has any run, of whatever kind."""
    return Run.objects.filter(organisation_id=actor.organisation_id).exists()


def agents_of_runs(actor: Actor) -> list[Agent]:
    """The agents that runs may be of, helpers last, for the filter."""
    found = Agent.objects.filter(organisation_id=actor.organisation_id).only("id", "name", "helper", "state")
    return list(found.order_by("helper", "name_folded", "pk"))


def find_run(actor: Actor, run_id: UUID) -> Run:
    """One run with the names around it.

    Raises `NotFound` where it is not of the actor's organisation, and without `runs:view`: then no run is visible.
    """
    if not access.may(actor, Permission.RUNS_VIEW):
        raise NotFound
    found = Run.objects.filter(organisation_id=actor.organisation_id, pk=run_id)
    run = found.select_related(*NAMED).defer("agent__draft", "agent_version__spec").first()
    if run is None:
        raise NotFound
    return run
