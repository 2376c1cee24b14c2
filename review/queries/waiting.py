"""What waits for review over every dataset that one member can see, for the card of the dashboard (RV-66 to RV-70)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Count, Min, Q

from accounts.actor import Actor
from accounts.permissions import Permission
from datasets.models import Dataset
from review.models import Stay
from scoring.models import ScoreOutcome

# So many datasets the card lists (RV-D42).
LISTED = 5


@dataclass(frozen=True)
class WaitingIn:
    """One dataset's queue: `waiting` scores of which `failed` did not pass; `oldest` waits longest."""

    dataset_id: UUID
    name: str
    waiting: int
    failed: int
    passed: int
    oldest: datetime

    @property
    def unscored(self) -> int:
        """Those that nothing graded, and those that are being graded again."""
        return self.waiting - self.failed - self.passed


@dataclass(frozen=True)
class WaitingForReview:
    """All queues together; `datasets` have the most waiting first, of equals the one with the oldest (RV-D40)."""

    datasets: Sequence[WaitingIn] = ()

    @property
    def waiting(self) -> int:
        return sum(one.waiting for one in self.datasets)

    @property
    def failed(self) -> int:
        return sum(one.failed for one in self.datasets)

    @property
    def unscored(self) -> int:
        return sum(one.unscored for one in self.datasets)

    @property
    def passed(self) -> int:
        return sum(one.passed for one in self.datasets)

    @property
    def listed(self) -> Sequence[WaitingIn]:
        return self.datasets[:LISTED]

    @property
    def more(self) -> int:
        """How many datasets with something waiting are not listed."""
        return max(0, len(self.datasets) - LISTED)


def waiting_for_review(actor: Actor) -> WaitingForReview:
    """The queues of the datasets that the actor can see, and of no other, in one query.

    Outcomes are shown to everybody who can see the dataset, answers are not counted by anything else (RV-75).
    """
    seen = Dataset.objects.allowed(actor, Permission.DATASETS_VIEW).order_by().values("pk")
    waiting = Stay.objects.filter(left_at=None, dataset__in=seen).order_by().values_list("dataset_id", "dataset__name")
    counted: Any = waiting.annotate(
        waiting=Count("pk"),
        failed=Count("pk", filter=Q(score__outcome=ScoreOutcome.FAIL)),
        passed=Count("pk", filter=Q(score__outcome=ScoreOutcome.PASS)),
        oldest=Min("entered_at"),
    )
    rows = [WaitingIn(*row) for row in counted]
    return WaitingForReview(sorted(rows, key=lambda one: (-one.waiting, one.oldest, one.dataset_id)))
