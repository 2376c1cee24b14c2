"""Which rules an answer is held against, and which findings of an earlier grading stay (SC-4, SC-D58)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from datasets.logic.drafts import CaseDraft
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin
from scoring.logic.settings import Settings

Json = dict[str, Any]
Rule = tuple[str, Origin, Json]

JUDGED = frozenset({Origin.CRITERION, Origin.CASE_CRITERION, Origin.REFERENCE_ANSWER, Origin.COUNTER_EXAMPLE})


def rules_of(settings: Settings, case: CaseDraft) -> tuple[Rule, ...]:
    """The checks of the case, then the dataset's for every case; none where Checks is off, and none that a judge reads.

    A check's id is its place among all of its list, from 1.
    """
    if Evaluator.CHECKS not in settings.on:
        return ()
    own = [(f"check-{place}", Origin.CASE_CHECK, check) for place, check in enumerate(case.checks, start=1)]
    given = [
        (f"default-{place}", Origin.DEFAULT_CHECK, check)
        for place, check in enumerate(settings.default_checks, start=1)
    ]
    return tuple(rule for rule in (*own, *given) if rule[2]["type"] != "judge")


@dataclass(frozen=True)
class Kept:
    """What of an earlier grading stays: each verdict of a rule; the judge's only where none of them is missing.

    The judge grades all of its criteria in one run (SC-9), so one without a verdict takes the others along.
    """

    rules: dict[str, Finding]
    calls: tuple[Finding, float] | None
    judged: tuple[Finding, ...] | None


def kept_of(results: Sequence[EvaluatorResult]) -> Kept:
    """What stays of these results; nothing of none."""
    findings = [finding for result in results for finding in result.findings]
    rules = {
        finding.id: finding
        for finding in findings
        if finding.origin in (Origin.CASE_CHECK, Origin.DEFAULT_CHECK) and finding.verdict.is_reached
    }
    judged = tuple(finding for finding in findings if finding.origin in JUDGED)
    is_whole = bool(judged) and all(finding.verdict.is_reached for finding in judged)
    return Kept(rules, _kept_calls(results), judged if is_whole else None)


def needs_judge(results: Sequence[EvaluatorResult]) -> bool:
    """Whether a criterion of the judge is without a verdict."""
    return any(
        finding.origin in JUDGED and not finding.verdict.is_reached for result in results for finding in result.findings
    )


def _kept_calls(results: Sequence[EvaluatorResult]) -> tuple[Finding, float] | None:
    for result in results:
        if result.evaluator is Evaluator.TOOL_CALLS and result.findings and result.number is not None:
            return result.findings[0], result.number
    return None
