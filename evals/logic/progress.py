"""How far a test run is, and how long it will still take (EV-D18)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evals.logic.results import AttemptResult, Sum, Tally, spending

LAST = 20
ANSWERED_STATES = ("answered", "grading", "done")


@dataclass(frozen=True)
class Progress:
    """Of the first pass, or of the confirming one. `outcomes` counts attempts; errors are among its unscored ones."""

    total: int = 0
    answered: int = 0
    graded: int = 0
    errors: int = 0
    cancelled: int = 0
    outcomes: Tally = field(default_factory=Tally)
    cost: Sum = field(default_factory=Sum)

    @property
    def ended(self) -> int:
        return self.graded + self.errors + self.cancelled

    @property
    def left(self) -> int:
        return self.total - self.ended

    @property
    def share(self) -> float:
        """From 0 to 1: of all that has to end, how much has. A pass without attempts has nothing left to do."""
        return self.ended / self.total if self.total else 1.0


def progress_of(attempts: Iterable[AttemptResult], *, confirming: bool = False) -> Progress:
    """Counted over the attempts of one pass."""
    mine = [one for one in attempts if one.is_confirming is confirming]
    states = [one.state for one in mine]
    outcomes = [one.final_outcome for one in mine if one.has_ended]
    return from_counts(
        {state: states.count(state) for state in set(states)},
        Tally(outcomes.count("pass"), outcomes.count("fail"), outcomes.count("unscored")),
        spending(mine).total,
    )


def from_counts(states: Mapping[str, int], outcomes: Tally, cost: Sum) -> Progress:
    """The same from how many attempts are in each state, as a database counts them."""
    return Progress(
        total=sum(states.values()),
        answered=sum(states.get(state, 0) for state in ANSWERED_STATES),
        graded=states.get("done", 0),
        errors=states.get("error", 0),
        cancelled=states.get("cancelled", 0),
        outcomes=outcomes,
        cost=cost,
    )


def seconds_left(ended_at: Sequence[float], now: float, left: int) -> float | None:
    """How long the rest takes at the pace of the last 20 attempts; None while fewer than two have ended.

    `ended_at` are seconds on one clock, in any order. Waiting since the last one counts too, so that a run that stands
    still never promises a near end; a clock that stepped back makes no time negative (BC-38).
    """
    if left <= 0:
        return 0.0
    last = sorted(ended_at)[-LAST:]
    if len(last) < 2:
        return None
    usual = (last[-1] - last[0]) / (len(last) - 1)
    so_far = (now - last[0]) / len(last)
    return max(usual, so_far, 0.0) * left
