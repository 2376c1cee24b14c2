"""What a test run has spent so far, and how many of its attempts it spent it on (EV-D27)."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Sum

from evals.models import Attempt, EvalRun

NOTHING = Decimal(0)


@dataclass
class Spent:
    """In USD, of the agent and of the judge; `attempts` are those that an answer was bought for.

    Where a price is not known nothing is counted: the limit cannot hold what nobody knows.
    """

    usd: Decimal = NOTHING
    attempts: int = 0

    @property
    def mean(self) -> Decimal:
        """Of an attempt, as far as it is known."""
        return self.usd / self.attempts if self.attempts else NOTHING


def spent_by(run: EvalRun) -> Spent:
    """Added up over all attempts, in one statement."""
    rows = Attempt.objects.filter(run=run)
    found = rows.aggregate(agent=Sum("cost"), judge=Sum("score__judge_cost"), attempts=Count("cost"))
    return Spent((found["agent"] or NOTHING) + (found["judge"] or NOTHING), found["attempts"])
