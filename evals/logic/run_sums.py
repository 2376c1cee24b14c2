"""What the attempts of a test run add up to: costs, tokens, latency, models (EV-D38)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from decimal import Decimal
from typing import Any

from evals.logic.results import (
    AttemptResult,
    Latency,
    Spending,
    Sum,
    Tokens,
    latency,
    models_seen,
    spending,
    tokens,
)


@dataclass(frozen=True)
class DoneFirsts:
    """The first attempts that were answered and graded: how many, what all of them cost, how long an answer took.

    Two runs are compared by these: confirming answers changed cases only.
    """

    count: int = 0
    answering: Sum = field(default_factory=Sum)
    judging: Sum = field(default_factory=Sum)
    latency: Latency = field(default_factory=Latency)

    @property
    def mean_answering(self) -> Sum:
        """Of one answer."""
        return self._mean(self.answering)

    @property
    def mean_judging(self) -> Sum:
        """Of grading one answer."""
        return self._mean(self.judging)

    def _mean(self, total: Sum) -> Sum:
        return Sum(total.amount / self.count, total.is_at_least) if self.count else total


@dataclass(frozen=True)
class RunSums:
    """`models` are the names that the provider gave, `pins` the hashes of the judges of first attempts; `answers`
    counts attempts that ended and were not cancelled."""

    spending: Spending = field(default_factory=Spending)
    tokens: Tokens = field(default_factory=Tokens)
    latency: Latency = field(default_factory=Latency)
    models: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    answers: int = 0
    done: DoneFirsts = field(default_factory=DoneFirsts)

    def as_json(self) -> dict[str, Any]:
        """Amounts as text, so that no digit is lost."""
        plain = asdict(self)
        for one in (*plain["spending"].values(), plain["done"]["answering"], plain["done"]["judging"]):
            one["amount"] = str(one["amount"])
        return plain

    @classmethod
    def of_json(cls, stored: dict[str, Any]) -> "RunSums":
        done = stored["done"]
        return cls(
            Spending(**{name: _sum(one) for name, one in stored["spending"].items()}),
            Tokens(**stored["tokens"]),
            Latency(**stored["latency"]),
            tuple(stored["models"]),
            tuple(stored["pins"]),
            stored["answers"],
            DoneFirsts(done["count"], _sum(done["answering"]), _sum(done["judging"]), Latency(**done["latency"])),
        )


def run_sums(attempts: Sequence[AttemptResult]) -> RunSums:
    """Added up over all attempts of a run."""
    done = [one for one in attempts if not one.is_confirming and one.state == "done"]
    spent = spending(done)
    return RunSums(
        spending(attempts),
        tokens(attempts),
        latency(attempts),
        models_seen(attempts),
        tuple(sorted({one.pin_hash for one in attempts if one.pin_hash and not one.is_confirming})),
        sum(one.has_ended and one.state != "cancelled" for one in attempts),
        DoneFirsts(len(done), spent.agent, spent.judge, latency(done)),
    )


def _sum(stored: dict[str, Any]) -> Sum:
    return Sum(Decimal(stored["amount"]), stored["is_at_least"])
