"""What attempts came to: the outcome of each, of a case, and of a whole test run, with its cost, tokens and latency.

Everything is computed from what is known now (EV-D34); money is added as decimals, and 0 is a value while None is none
(BC-38).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from math import floor

from core.problems import gettext_noop
from core.statistics import wilson
from scoring.logic.findings import Outcome, Reason

NOT_ANSWERED = Reason(gettext_noop("Not answered"))
CANCELLED = Reason(gettext_noop("Cancelled before it was answered"))
SCORE_GONE = Reason(gettext_noop("Its score was deleted"))
BEING_GRADED = Reason(gettext_noop("It is being graded again"))

# The states of an attempt that has no further to go (EV-D17).
ENDED = ("done", "error", "cancelled")


@dataclass(frozen=True)
class AttemptResult:
    """One answer to a case, as results read it.

    `state` is one of EV-D17. `outcome` is what grading found and `decided` what a person ruled, both empty where there
    is none. `why` is why it is unscored: the error of an answer that did not come, or the reason of the score.
    `was_asked` says that a model was called for it, `judge_was_asked` the same of the judge, so that a cost that is not
    known is told from one that never arose.
    """

    number: int
    state: str
    is_confirming: bool = False
    outcome: str = ""
    decided: str = ""
    has_score: bool = True
    score: float | None = None
    why: Reason | None = None
    pin_hash: str = ""
    judge_trouble: str = ""
    cost: Decimal | None = None
    judge_cost: Decimal | None = None
    was_asked: bool = False
    judge_was_asked: bool = False
    seconds: float | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    model: str = ""

    @property
    def has_ended(self) -> bool:
        return self.state in ENDED

    @property
    def final_outcome(self) -> str:
        """What counts: a person's decision, or else what grading found; unscored where it ended without a verdict.

        Empty while it is at work. An attempt without an answer is unscored and never a fail of the agent (EV-D19).
        """
        if self.decided or not self.has_ended:
            return self.decided
        return (self.outcome if self.state == "done" else "") or Outcome.UNSCORED.value

    @property
    def automatic_outcome(self) -> str:
        """The same without what a person ruled (RV-D33)."""
        return replace(self, decided="").final_outcome if self.decided else self.final_outcome

    @property
    def unscored_because(self) -> Reason | None:
        """Why it has no verdict; None where it has one, or is at work."""
        if self.final_outcome != Outcome.UNSCORED:
            return None
        if self.state == "cancelled":
            return CANCELLED
        if self.state == "error":
            return NOT_ANSWERED
        if not self.has_score:
            return SCORE_GONE
        return self.why or (None if self.outcome else BEING_GRADED)


def case_result(outcomes: Sequence[str]) -> str:
    """The result of a case from the final outcomes of its first attempts, never of those made to confirm (EV-D33).

    The majority of those with a verdict, a tie is a fail, none with a verdict is unscored; of one attempt it is its
    own outcome. What is neither `pass` nor `fail` (unscored, or empty while at work) has no verdict.
    """
    passed = sum(outcome == Outcome.PASS for outcome in outcomes)
    failed = sum(outcome == Outcome.FAIL for outcome in outcomes)
    if not passed + failed:
        return Outcome.UNSCORED.value
    return Outcome.PASS.value if passed > failed else Outcome.FAIL.value


def result_of(attempts: Iterable[AttemptResult]) -> str:
    """The result of a case from all its attempts."""
    return case_result([one.final_outcome for one in attempts if not one.is_confirming])


@dataclass(frozen=True)
class Tally:
    """How many cases passed, failed and have no verdict."""

    passed: int = 0
    failed: int = 0
    unscored: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.passed + other.passed, self.failed + other.failed, self.unscored + other.unscored)

    @property
    def cases(self) -> int:
        return self.passed + self.failed + self.unscored

    @property
    def graded(self) -> int:
        return self.passed + self.failed

    @property
    def rate(self) -> float | None:
        """Passed of graded; None with none graded, which is no result and not 0% (EV-D35)."""
        return self.passed / self.graded if self.graded else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95% interval of the rate, over cases (EV-D36)."""
        return wilson(self.passed, self.graded) if self.graded else None


def tally(results: Iterable[str]) -> Tally:
    """The results of cases, counted."""
    counts = dict.fromkeys(Outcome, 0)
    for result in results:
        counts[Outcome(result)] += 1
    return Tally(counts[Outcome.PASS], counts[Outcome.FAIL], counts[Outcome.UNSCORED])


@dataclass(frozen=True)
class Sum:
    """Money in USD; `is_at_least` where the price of a part of it is not known."""

    amount: Decimal = Decimal(0)
    is_at_least: bool = False

    def __add__(self, other: "Sum") -> "Sum":
        return Sum(self.amount + other.amount, self.is_at_least or other.is_at_least)


@dataclass(frozen=True)
class Spending:
    """What a run cost (EV-D38): the agent and the judge in the first pass, and both of them while confirming."""

    agent: Sum = field(default_factory=Sum)
    judge: Sum = field(default_factory=Sum)
    confirming: Sum = field(default_factory=Sum)

    @property
    def total(self) -> Sum:
        return self.agent + self.judge + self.confirming


def spending(attempts: Iterable[AttemptResult]) -> Spending:
    """The costs of all attempts, split."""
    agent = judge = confirming = Sum()
    for one in attempts:
        answering = _sum(one.cost, was_asked=one.was_asked)
        grading = _sum(one.judge_cost, was_asked=one.judge_was_asked)
        if one.is_confirming:
            confirming += answering + grading
        else:
            agent, judge = agent + answering, judge + grading
    return Spending(agent, judge, confirming)


def _sum(cost: Decimal | None, *, was_asked: bool) -> Sum:
    return Sum(is_at_least=was_asked) if cost is None else Sum(cost)


@dataclass(frozen=True)
class Tokens:
    """Of the agent's calls, in all attempts."""

    input: int = 0
    output: int = 0


def tokens(attempts: Iterable[AttemptResult]) -> Tokens:
    """The tokens that are known, added."""
    read = written = 0
    for one in attempts:
        read += one.input_tokens or 0
        written += one.output_tokens or 0
    return Tokens(read, written)


@dataclass(frozen=True)
class Latency:
    """Seconds of an answer; None where none is known. `count` is of how many."""

    median: float | None = None
    high: float | None = None
    maximum: float | None = None
    count: int = 0


def latency(attempts: Iterable[AttemptResult]) -> Latency:
    """Median, 95th percentile (`high`) and maximum over first attempts that were answered (EV-D38)."""
    seconds = sorted(one.seconds for one in attempts if not one.is_confirming and one.seconds is not None)
    if not seconds:
        return Latency()
    return Latency(quantile(seconds, 0.5), quantile(seconds, 0.95), seconds[-1], len(seconds))


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which `share` of the ordered values lie, between two of them on a straight line.

    Type 7 of Hyndman and Fan (1996), which NumPy, R and spreadsheets use; at a half it is the usual median. Raises
    IndexError without values.
    """
    place = (len(ordered) - 1) * share
    below = floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def models_seen(attempts: Iterable[AttemptResult]) -> tuple[str, ...]:
    """What the provider called the models that answered; more than one gets a notice (EV-D52)."""
    return tuple(sorted({one.model for one in attempts if one.model}))
