"""Grading by rules, for many answers in one batch: checks and expected tool calls, which call no model (SC-8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from core.logging import logger
from core.problems import gettext_noop
from datasets.logic.drafts import CaseDraft
from scoring.logic.answers import GradedAnswer
from scoring.logic.calls import grade_calls
from scoring.logic.checks import CheckRunner, grade_checks_of_many
from scoring.logic.criteria import asked_criteria
from scoring.logic.findings import Evaluator, Finding, Origin, Reason, Verdict
from scoring.logic.outcome import graded
from scoring.logic.rules import Kept, Rule, kept_of, rules_of
from scoring.logic.settings import Settings
from scoring.operations.graded_rows import Finished
from scoring.operations.judging import Judged
from scoring.queries.grading_material import Material, TakenScore

log = logger("casebook.grading")
FAULTY = Reason(gettext_noop("Grading this answer failed because of a fault in Casebook"))
Found = TypeVar("Found")


@dataclass(frozen=True)
class Ruled:
    """A score whose rules are graded; the judge's part is still missing. `kept` stays of an earlier grading."""

    score: TakenScore
    settings: Settings
    case: CaseDraft
    answer: GradedAnswer
    kept: Kept
    checks: tuple[Finding, ...]
    calls: tuple[Finding, float] | None

    @property
    def needs_judge(self) -> bool:
        """Whether the judge has something to grade that it has not graded already."""
        return self.kept.judged is None and bool(asked_criteria(self.case, self.settings))

    def finished(self, judged: Judged | None = None) -> Finished:
        """Its outcome, with what the judge found now or earlier."""
        found = judged.findings if judged else self.kept.judged or ()
        outcome = graded(self.settings, self.case, checks=self.checks, calls=self.calls, judged=found)
        return Finished(self.score.id, outcome, judged)


def grade_by_rules(runner: CheckRunner, materials: Sequence[Material]) -> list[Ruled]:
    """The findings of rules for all that have a case and an answer; verdicts reached earlier stay (SC-D58).

    An answer that our own code stumbles over costs its own findings and no other's.
    """
    gradable = [_gradable(one, one.case, one.answer) for one in materials if one.case and one.answer is not None]
    found = _checks_of_all(runner, gradable)
    return [each.ruled(checks) for each, checks in zip(gradable, found, strict=True)]


@dataclass(frozen=True)
class _Gradable:
    material: Material
    case: CaseDraft
    answer: GradedAnswer
    kept: Kept
    rules: tuple[Rule, ...]

    @property
    def item(self) -> tuple[GradedAnswer, list[Rule]]:
        """What is still to be graded."""
        known = self.kept.rules
        return self.answer, [rule for rule in self.rules if rule[0] not in known]

    def ruled(self, new: Sequence[Finding]) -> Ruled:
        by_id = self.kept.rules | {finding.id: finding for finding in new}
        checks = tuple(by_id[rule[0]] for rule in self.rules)
        calls = self.kept.calls or self._calls()
        return Ruled(self.material.score, self.material.settings, self.case, self.answer, self.kept, checks, calls)

    def _calls(self) -> tuple[Finding, float] | None:
        """None where the case expects none, or nobody asks (SC-D34)."""
        if not self.case.expected_tool_calls or Evaluator.TOOL_CALLS not in self.material.settings.on:
            return None
        faulty = Finding("tool-calls", Origin.CALLS, Verdict.ERROR, why=FAULTY, cause="fault")
        given = (self.case.expected_tool_calls, self.case.order_mode, self.answer.calls)
        return _or_else(lambda: grade_calls(*given), (faulty, 0.0), self.material.score)


def _gradable(material: Material, case: CaseDraft, answer: GradedAnswer) -> _Gradable:
    return _Gradable(material, case, answer, kept_of(material.before), rules_of(material.settings, case))


def _checks_of_all(runner: CheckRunner, gradable: Sequence[_Gradable]) -> list[tuple[Finding, ...]]:
    """All in one batch, or one by one where something in the batch breaks it."""
    items = [each.item for each in gradable]
    try:
        return grade_checks_of_many(runner, items)
    except Exception as error:
        log.error("rules.batch_failed", answers=len(items), error=type(error).__name__)
    found: list[tuple[Finding, ...]] = []
    for each, item in zip(gradable, items, strict=True):
        errors = tuple(_error(rule) for rule in item[1])
        alone = partial(grade_checks_of_many, runner, [item])
        found += _or_else(alone, [errors], each.material.score)
    return found


def _error(rule: Rule) -> Finding:
    key, origin, check = rule
    return Finding(key, origin, Verdict.ERROR, name=check["type"], about=check, why=FAULTY, cause="fault")


def _or_else(grade: Callable[[], Found], faulty: Found, score: TakenScore) -> Found:
    try:
        return grade()
    except Exception as error:
        log.error("rules.failed", score=str(score.id), error=type(error).__name__)
        return faulty
