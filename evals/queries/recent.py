"""The newest test runs over every dataset that one member can see, for the card of the dashboard."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts import access
from accounts.actor import Actor
from accounts.permissions import Permission
from datasets.models import Dataset
from evals.models import EvalRun
from evals.queries.evals import LONG, NAMED, UNREAD
from evals.queries.shown_evals import ShownRow, shown_rows

# So many runs the card lists.
LISTED = 5


@dataclass(frozen=True)
class RecentRuns:
    """The runs, the newest first."""

    rows: Sequence[ShownRow]

    @property
    def are_at_work(self) -> bool:
        """Whether one of them has not ended yet."""
        return any(not row.run.is_final for row in self.rows)


def reads_runs(actor: Actor) -> bool:
    """Whether the actor is shown runs at all (EV-D53)."""
    return access.may(actor, Permission.RUNS_VIEW)


def recent_runs(actor: Actor) -> RecentRuns:
    """What ran last and was not archived; five queries at the most. Raises `NotAllowed` for who reads no runs."""
    access.require(actor, Permission.RUNS_VIEW)
    seen = Dataset.objects.allowed(actor, Permission.DATASETS_VIEW).order_by().values("pk")
    rows = EvalRun.objects.select_related(*NAMED).defer(*UNREAD, *LONG)
    newest = rows.filter(organisation_id=actor.organisation_id, dataset__in=seen, archived_at=None)
    return RecentRuns(shown_rows(actor, list(newest.order_by("-created_at", "-id")[:LISTED])))
