"""By how much rate, cost and latency of two test runs differ (EV-D44)."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from evals.logic.compared_cases import ComparedCase
from evals.logic.outlines import RunOutline
from evals.logic.results import Sum, Tally, tally


@dataclass(frozen=True)
class Rates:
    """The rate of both runs, over all their cases or over those that are compared."""

    before: Tally
    after: Tally

    @property
    def points(self) -> float | None:
        """The difference as a share; None where one of them has no rate."""
        if self.before.rate is None or self.after.rate is None:
            return None
        return self.after.rate - self.before.rate


@dataclass(frozen=True)
class Costs:
    """What first attempts cost in both runs, USD; of one answer, and of all."""

    before: Sum
    after: Sum

    @property
    def difference(self) -> Decimal | None:
        """None where a price is unknown, because the difference is too then."""
        if self.before.is_at_least or self.after.is_at_least:
            return None
        return self.after.amount - self.before.amount


@dataclass(frozen=True)
class Times:
    """Seconds of an answer in both runs; None where none is known."""

    before: float | None
    after: float | None

    @property
    def difference(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


@dataclass(frozen=True)
class RunDifferences:
    """`compared` are the rates over the cases that are compared: the others may differ for other reasons.

    Costs and times are of first attempts, because confirming answers changed cases only.
    """

    rates: Rates
    compared: Rates
    answering: Costs
    judging: Costs
    median: Times
    high: Times

    @property
    def compares_all(self) -> bool:
        """Whether every case with a verdict in either run is among those compared."""
        return (self.rates.before, self.rates.after) == (self.compared.before, self.compared.after)


def run_differences(before: RunOutline, after: RunOutline, cases: Sequence[ComparedCase]) -> RunDifferences:
    """All of them, from what was read already."""
    changes = [one.change for one in cases if one.change.is_compared]
    old, new = before.sums.done, after.sums.done
    return RunDifferences(
        Rates(before.tally, after.tally),
        Rates(tally(one.before for one in changes), tally(one.after for one in changes)),
        Costs(old.mean_answering, new.mean_answering),
        Costs(old.mean_judging, new.mean_judging),
        Times(old.latency.median, new.latency.median),
        Times(old.latency.high, new.latency.high),
    )
