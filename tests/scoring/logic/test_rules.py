"""Which rules an answer is held against, and what of an earlier grading stays (SC-4, SC-9, SC-D58)."""

from typing import Any

import pytest

from datasets.logic.drafts import CaseDraft
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, State, Verdict
from scoring.logic.rules import kept_of, needs_judge, rules_of
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed

CONTAINS = {"type": "contains", "value": "kettle"}
LENGTH = {"type": "length", "unit": "words", "max": 5}
JUDGE = {"type": "judge", "criterion": "Is it polite?"}
PASS, FAIL, ERROR, SKIPPED = Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.SKIPPED


def settings(**checks: Any) -> Settings:
    return Settings.of_json(completed({"checks": checks}))


def finding(origin: Origin, verdict: Verdict, finding_id: str = "check-1") -> Finding:
    return Finding(finding_id, origin, verdict)


def result(*findings: Finding, evaluator: Evaluator = Evaluator.CHECKS, number: float | None = None) -> EvaluatorResult:
    return EvaluatorResult(evaluator, must_pass=True, state=State.PASS, number=number, findings=findings)


@pytest.mark.spec("SC-4")
def test_the_checks_of_the_case_come_before_those_of_the_dataset_each_numbered_by_its_place_in_its_list() -> None:
    case = CaseDraft(input="q", checks=(JUDGE, CONTAINS, LENGTH))
    assert rules_of(settings(defaults=[LENGTH, CONTAINS]), case) == (
        ("check-2", Origin.CASE_CHECK, CONTAINS),
        ("check-3", Origin.CASE_CHECK, LENGTH),
        ("default-1", Origin.DEFAULT_CHECK, LENGTH),
        ("default-2", Origin.DEFAULT_CHECK, CONTAINS),
    )


@pytest.mark.spec("SC-4")
def test_no_rule_is_asked_where_checks_are_off() -> None:
    assert rules_of(settings(enabled=False, defaults=[LENGTH]), CaseDraft(input="q", checks=(CONTAINS,))) == ()


@pytest.mark.spec("SC-D58")
def test_verdicts_of_rules_stay_and_what_has_none_is_asked_again() -> None:
    passed = finding(Origin.CASE_CHECK, PASS)
    failed = finding(Origin.DEFAULT_CHECK, FAIL, "default-1")
    broken, skipped = finding(Origin.CASE_CHECK, ERROR, "check-2"), finding(Origin.CASE_CRITERION, SKIPPED, "check-3")
    kept = kept_of([result(passed, broken, skipped, failed)])
    assert kept.rules == {"check-1": passed, "default-1": failed}
    assert (kept.calls, kept.judged) == (None, None)


@pytest.mark.spec("SC-D58")
def test_the_calls_stay_with_their_number_even_where_none_matched() -> None:
    calls = finding(Origin.CALLS, FAIL, "tool-calls")
    before = result(finding(Origin.CASE_CHECK, PASS), number=1.0)
    assert kept_of([before, result(calls, evaluator=Evaluator.TOOL_CALLS, number=0.0)]).calls == (calls, 0.0)
    assert kept_of([result(calls, evaluator=Evaluator.TOOL_CALLS)]).calls is None
    assert kept_of([result(evaluator=Evaluator.TOOL_CALLS, number=1.0)]).calls is None
    assert kept_of([before]).calls is None


@pytest.mark.spec("SC-9", "SC-D58")
@pytest.mark.parametrize(
    "origin", [Origin.CRITERION, Origin.CASE_CRITERION, Origin.REFERENCE_ANSWER, Origin.COUNTER_EXAMPLE]
)
def test_the_judge_is_asked_again_for_all_of_its_criteria_where_one_has_no_verdict(origin: Origin) -> None:
    rule, one = finding(Origin.CASE_CHECK, ERROR), finding(Origin.CRITERION, PASS, "c-1")
    reached, missing = finding(origin, FAIL, "x"), finding(origin, ERROR, "x")
    whole = [result(rule, reached), result(one, evaluator=Evaluator.JUDGE)]
    assert kept_of(whole).judged == (reached, one)
    assert not needs_judge(whole)
    torn = [result(rule, missing), result(one, evaluator=Evaluator.JUDGE)]
    assert kept_of(torn).judged is None
    assert needs_judge(torn)


@pytest.mark.spec("SC-D58")
def test_of_nothing_nothing_stays_and_no_judge_is_needed() -> None:
    assert (kept_of([]).rules, kept_of([]).calls, kept_of([]).judged) == ({}, None, None)
    assert not needs_judge([])
