"""Grades answers by rules: a finding for each check, whatever the others bring (SC-4, SC-8, SC-58 to SC-82)."""

from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from scoring.logic.answer_text import AnswerText
from scoring.logic.answers import GradedAnswer
from scoring.logic.checking_child import Asked, CheckingChild
from scoring.logic.child_rules import ChildRule, Pattern, Schema
from scoring.logic.findings import Finding, Json, Origin
from scoring.logic.json_answers import Unread
from scoring.logic.measures import Length, MaxCost, MaxLatency
from scoring.logic.ready_rules import ReadyRule, UnreadableRule
from scoring.logic.text_rules import Contains, ContainsNot, Equals

# Id ("check-1", "default-3"), where it comes from, and the check as it is stored.
Check = tuple[str, Origin, Json]

RULES: dict[str, Callable[[str, Origin, Json], ReadyRule]] = {
    "contains": Contains,
    "not_contains": ContainsNot,
    "equals": Equals,
    "regex": Pattern,
    "json_schema": Schema,
    "max_cost_usd": MaxCost,
    "max_latency_ms": MaxLatency,
    "length": Length,
}


class CheckRunner:
    """Keeps what checks need between answers: the child process of patterns and schemas. A context manager.

    One serves any number of answers, and is for one thread. The process starts where a check first needs it.
    """

    def __init__(self) -> None:
        self.child = CheckingChild()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.child.stop()


def grade_checks(runner: CheckRunner, answer: GradedAnswer, checks: Sequence[Check]) -> tuple[Finding, ...]:
    """A finding for each check, in order. Raises `ValueError` for a `judge` check, which is the judge's."""
    return grade_checks_of_many(runner, [(answer, checks)])[0]


def grade_checks_of_many(
    runner: CheckRunner, items: Sequence[tuple[GradedAnswer, Sequence[Check]]]
) -> list[tuple[Finding, ...]]:
    """The same for many answers at once, which is much quicker: the child works while the rest is graded here."""
    rules = _Rules()
    opened = [_Opened(runner.child, answer, rules.plan(checks)) for answer, checks in items]
    runner.child.settle()
    return [one.findings() for one in opened]


class _Plan:
    """The rules of one list of checks: those that find at once, and those that ask the child, with their places."""

    __slots__ = ("asking", "at_once", "questions", "size")

    def __init__(self, rules: Sequence[ReadyRule]) -> None:
        self.size = len(rules)
        self.at_once = [(place, rule) for place, rule in enumerate(rules) if not isinstance(rule, ChildRule)]
        self.asking = [(place, rule) for place, rule in enumerate(rules) if isinstance(rule, ChildRule)]
        # What is asked where all of them read the same text.
        self.questions = tuple((0, rule.asked) for _place, rule in self.asking)


class _Rules:
    """Each check made ready once, however many answers it is asked of; checks are told apart by identity."""

    def __init__(self) -> None:
        # What made them is kept too: another check or list could get its identity.
        self._made: dict[tuple[int, str], tuple[Check, ReadyRule]] = {}
        self._plans: dict[int, tuple[Sequence[Check], _Plan]] = {}

    def plan(self, checks: Sequence[Check]) -> _Plan:
        planned = self._plans.get(id(checks))
        if planned is None:
            planned = self._plans[id(checks)] = (checks, _Plan([self._rule(check) for check in checks]))
        return planned[1]

    def _rule(self, check: Check) -> ReadyRule:
        key = (id(check[2]), check[0])
        made = self._made.get(key)
        if made is None or made[0][1] is not check[1]:
            made = self._made[key] = (check, _rule(*check))
        return made[1]


def _rule(finding_id: str, origin: Origin, check: Any) -> ReadyRule:
    kind = check.get("type") if isinstance(check, dict) else None
    if kind == "judge":
        raise ValueError("a check of type judge is graded by the judge")
    try:
        return RULES[kind](finding_id, origin, check)  # type: ignore[index]  # None is no type either
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError):
        return UnreadableRule(finding_id, origin, check)


class _Opened:
    """One answer: what rules found at once, and what the child was asked."""

    __slots__ = ("_asked", "_found", "_open", "_text")

    def __init__(self, child: CheckingChild, answer: GradedAnswer, plan: _Plan) -> None:
        text = self._text = AnswerText(answer.text)
        self._found: list[Any] = [None] * plan.size
        for place, rule in plan.at_once:
            self._found[place] = rule.grade(answer, text)
        self._open = plan.asking
        self._asked: Asked | None = None
        if plan.asking:
            self._ask(child, plan)

    def _ask(self, child: CheckingChild, plan: _Plan) -> None:
        sent = [rule.text(self._text) for _place, rule in plan.asking]
        first = sent[0]
        if isinstance(first, str) and all(text is first for text in sent):
            self._asked = Asked((first,), plan.questions)
        else:
            self._asked = self._of_several(plan, sent)
        if self._asked:
            child.ask(self._asked)

    def _of_several(self, plan: _Plan, sent: Sequence[str | Unread]) -> Asked | None:
        """Each text once; what cannot be read is found already."""
        texts: dict[str, int] = {}
        questions = []
        self._open = []
        for (place, rule), text in zip(plan.asking, sent, strict=True):
            if isinstance(text, Unread):
                self._found[place] = rule.unread(text)
                continue
            questions.append((texts.setdefault(text, len(texts)), rule.asked))
            self._open.append((place, rule))
        return Asked(tuple(texts), tuple(questions)) if questions else None

    def findings(self) -> tuple[Finding, ...]:
        """After the child has settled."""
        if self._asked:
            for (place, rule), reply in zip(self._open, self._asked.replies, strict=True):
                self._found[place] = rule.replied(reply, self._text)
        return tuple(self._found)
