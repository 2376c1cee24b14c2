"""Short ways to grade one answer by one check."""

from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from scoring.logic.answers import GradedAnswer
from scoring.logic.checks import Check, CheckRunner, grade_checks
from scoring.logic.findings import Finding, Origin

Json = dict[str, Any]


def as_checks(*checks: Json) -> list[Check]:
    return [(f"check-{place}", Origin.CASE_CHECK, check) for place, check in enumerate(checks, start=1)]


def found(check: Json, text: str, *, cost: str | None = None, seconds: float | None = None) -> Finding:
    """What a check that needs no process of its own finds."""
    answer = GradedAnswer(text, cost=None if cost is None else Decimal(cost), seconds=seconds)
    with CheckRunner() as runner:
        return grade_checks(runner, answer, as_checks(check))[0]


def verdict(check: Json, text: str) -> str:
    return found(check, text).verdict.value


def said(finding: Finding) -> str:
    assert finding.why is not None
    return finding.why.in_english


def verdicts(findings: Iterable[Finding]) -> list[str]:
    return [finding.verdict.value for finding in findings]
