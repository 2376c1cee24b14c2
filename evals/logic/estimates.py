"""What a test run will probably cost and take, before anything is spent (EV-D9, EV-D10).

It reserves and guarantees nothing (EV-19). Money is counted as decimals; a price that is missing makes a cost unknown
and never nought.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from math import ceil
from typing import Any, Self

from agents.logic.usage import Prices, Usage, cost_of
from core.problems import gettext_noop
from scoring.logic.findings import Reason

CHARACTERS_A_TOKEN = 4
TOKENS_OF_ANSWER = 400
CALLS_WITH_TOOLS = Decimal("1.5")
TOKENS_A_CRITERION = 150
CHANGED_SHARE = Decimal("0.1")
# What an answer or a grading takes where none was measured yet.
SECONDS_OF_ANSWER, SECONDS_OF_GRADING = 6.0, 4.0

NO_COST = Reason(gettext_noop("no cost"))
BELOW_A_CENT = Reason(gettext_noop("less than $0.01"))
UNKNOWN = gettext_noop("unknown: the price of %(models)s is missing")
AMOUNT = gettext_noop("$%(amount)s")
CENT = Decimal("0.01")


class CostKind(StrEnum):
    """How a cost is shown (EV-D10, EV-18)."""

    UNKNOWN = "unknown"
    NO_COST = "no_cost"
    BELOW_A_CENT = "below_a_cent"
    AMOUNT = "amount"


@dataclass(frozen=True)
class Cost:
    """USD; where `unpriced` names models, the whole is unknown and `amount` is the part that is known."""

    amount: Decimal = Decimal(0)
    unpriced: tuple[str, ...] = ()

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(self.amount + other.amount, tuple(dict.fromkeys((*self.unpriced, *other.unpriced))))

    @property
    def kind(self) -> CostKind:
        if self.unpriced:
            return CostKind.UNKNOWN
        if not self.amount:
            return CostKind.NO_COST
        return CostKind.BELOW_A_CENT if self.amount < CENT else CostKind.AMOUNT

    @property
    def words(self) -> Reason:
        """As it is shown; the faces write an amount in the reader's own way instead."""
        if self.kind is CostKind.UNKNOWN:
            return Reason(UNKNOWN, {"models": ", ".join(self.unpriced)})
        shown = Reason(AMOUNT, {"amount": f"{self.amount:.2f}"})
        return {CostKind.NO_COST: NO_COST, CostKind.BELOW_A_CENT: BELOW_A_CENT}.get(self.kind, shown)

    def as_json(self) -> dict[str, Any]:
        return {"amount": None if self.unpriced else str(self.amount), "unpriced": list(self.unpriced)}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Self:
        return cls(Decimal(stored["amount"] or 0), tuple(stored["unpriced"]))


@dataclass(frozen=True)
class CaseSize:
    """`characters` of the case as the agent reads it, and `criteria` that the judge grades in its answer.

    `judge_characters` are those of the judge's prompt for it, without the answer. Without criteria the judge is not
    called.
    """

    characters: int
    criteria: int = 0
    judge_characters: int = 0


@dataclass(frozen=True)
class AgentUse:
    """What the agent reads in each call beside the case, and what was measured of it, if anything was.

    `characters` are those of its instructions and tools. `measured` are the median tokens of a call, and `calls` the
    mean number of calls, of its last attempts on this dataset; without them the rule of thumb holds. `seconds` is the
    median of an answer. `prices` are None where its model has none.
    """

    model: str
    prices: Prices | None
    characters: int = 0
    has_tools: bool = False
    measured: Usage | None = None
    calls: Decimal | None = None
    seconds: float | None = None

    @property
    def calls_an_answer(self) -> Decimal:
        if self.calls is not None:
            return self.calls
        return CALLS_WITH_TOOLS if self.has_tools else Decimal(1)

    def call(self, case: CaseSize) -> Usage:
        """The tokens of one call for this case."""
        if self.measured:
            return self.measured
        return Usage(input=_tokens(self.characters + case.characters), output=TOKENS_OF_ANSWER)


@dataclass(frozen=True)
class JudgeUse:
    """The judge that grades; `seconds` is the median of one grading, None where none was measured."""

    model: str
    prices: Prices | None
    seconds: float | None = None

    def call(self, case: CaseSize) -> Usage:
        """The tokens of grading one answer to this case; the answer is taken to be as long as the rule of thumb."""
        read = _tokens(case.judge_characters) + TOKENS_OF_ANSWER
        return Usage(input=read, output=TOKENS_A_CRITERION * case.criteria)


@dataclass(frozen=True)
class RunShape:
    """How often each case is answered, how many at once, and how changes will be confirmed (EV-D46, EV-D47)."""

    repeats: int = 1
    at_once: int = 1
    confirms: bool = False
    confirm_attempts: int = 2
    confirm_most: int = 100


@dataclass(frozen=True)
class Amounts:
    """A cost in its three parts, with the calls and the seconds that go with it."""

    agent: Cost = field(default_factory=Cost)
    judge: Cost = field(default_factory=Cost)
    confirming: Cost = field(default_factory=Cost)
    calls: int = 0
    seconds: float = 0.0

    @property
    def total(self) -> Cost:
        return self.agent + self.judge + self.confirming

    def as_json(self) -> dict[str, Any]:
        parts = {name: getattr(self, name).as_json() for name in ("agent", "judge", "confirming", "total")}
        return {**parts, "calls": self.calls, "seconds": round(self.seconds, 1)}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Self:
        agent, judge, confirming = (Cost.of_json(stored[name]) for name in ("agent", "judge", "confirming"))
        return cls(agent, judge, confirming, stored["calls"], stored["seconds"])


@dataclass(frozen=True)
class CostEstimate:
    """`highest` differs from `expected` by what confirming may take at the most."""

    cases: int
    attempts: int
    expected: Amounts
    highest: Amounts

    def as_json(self) -> dict[str, Any]:
        sizes = {"cases": self.cases, "attempts": self.attempts}
        return {**sizes, "expected": self.expected.as_json(), "highest": self.highest.as_json()}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> Self:
        expected, highest = (Amounts.of_json(stored[name]) for name in ("expected", "highest"))
        return cls(stored["cases"], stored["attempts"], expected, highest)


def estimated(
    cases: Sequence[CaseSize], agent: AgentUse | None, judge: JudgeUse | None, shape: RunShape
) -> CostEstimate:
    """What answering and grading these cases will cost and take.

    `agent` is None where the answers are brought along, `judge` where none takes part. Confirming is expected for a
    tenth of the cases, and at the highest for all of them up to the limit, the dearest ones first.
    """
    answers = [_answering(agent, case) for case in cases]
    gradings = [_grading(judge, case) for case in cases]
    both = sorted((one + other for one, other in zip(answers, gradings, strict=True)), key=_weight, reverse=True)
    most = min(len(cases), shape.confirm_most) if shape.confirms and agent else 0
    tenth = min(Decimal(len(cases)) * CHANGED_SHARE, Decimal(most))
    mean = _times(_sum(both), 1 / Decimal(len(both))) if both else _Load()
    first = (_times(_sum(answers), shape.repeats), _times(_sum(gradings), shape.repeats))
    again = shape.confirm_attempts
    expected = _amounts(first, _times(mean, tenth * again), shape)
    highest = _amounts(first, _times(_sum(both[:most]), again), shape)
    return CostEstimate(len(cases), len(cases) * shape.repeats, expected, highest)


@dataclass(frozen=True)
class _Load:
    """The cost, calls and seconds of some work, one after the other."""

    cost: Cost = field(default_factory=Cost)
    calls: Decimal = Decimal(0)
    seconds: float = 0.0

    def __add__(self, other: "_Load") -> "_Load":
        return _Load(self.cost + other.cost, self.calls + other.calls, self.seconds + other.seconds)


def _answering(agent: AgentUse | None, case: CaseSize) -> _Load:
    if agent is None:
        return _Load()
    calls = agent.calls_an_answer
    cost = _cost(agent.model, agent.prices, agent.call(case), calls)
    seconds = SECONDS_OF_ANSWER * float(calls) if agent.seconds is None else agent.seconds
    return _Load(cost, calls, seconds)


def _grading(judge: JudgeUse | None, case: CaseSize) -> _Load:
    if judge is None or not case.criteria:
        return _Load()
    seconds = SECONDS_OF_GRADING if judge.seconds is None else judge.seconds
    return _Load(_cost(judge.model, judge.prices, judge.call(case), Decimal(1)), Decimal(1), seconds)


def _cost(model: str, prices: Prices | None, usage: Usage, calls: Decimal) -> Cost:
    return Cost(unpriced=(model,)) if prices is None else Cost(cost_of(usage, prices) * calls)


def _amounts(first: tuple[_Load, _Load], confirming: _Load, shape: RunShape) -> Amounts:
    agent, judge = first
    calls = ceil(agent.calls + judge.calls + confirming.calls)
    seconds = (agent.seconds + judge.seconds + confirming.seconds) / max(1, shape.at_once)
    return Amounts(agent.cost, judge.cost, confirming.cost, calls, seconds)


def _sum(loads: Sequence[_Load]) -> _Load:
    """The loads added; models without a price are gathered once, since there may be ten thousand cases."""
    unpriced = tuple(dict.fromkeys(model for load in loads for model in load.cost.unpriced))
    amount = sum((load.cost.amount for load in loads), Decimal(0))
    calls = sum((load.calls for load in loads), Decimal(0))
    return _Load(Cost(amount, unpriced), calls, sum(load.seconds for load in loads))


def _times(load: _Load, number: Decimal | int) -> _Load:
    if not number:
        return _Load()
    times = Decimal(number)
    return _Load(Cost(load.cost.amount * times, load.cost.unpriced), load.calls * times, load.seconds * float(times))


def _weight(load: _Load) -> tuple[bool, Decimal, Decimal]:
    return bool(load.cost.unpriced), load.cost.amount, load.calls


def _tokens(characters: int) -> int:
    return ceil(characters / CHARACTERS_A_TOKEN)
