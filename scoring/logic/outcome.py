"""The outcome of a case: what each evaluator makes of its findings, and what the case makes of the evaluators."""

from collections.abc import Sequence
from statistics import fmean

from core.problems import gettext_noop
from datasets.logic.drafts import CaseDraft
from scoring.logic.causes import Cause
from scoring.logic.criteria import asked_criteria
from scoring.logic.findings import (
    Evaluator,
    EvaluatorResult,
    Finding,
    Graded,
    Origin,
    Outcome,
    Reason,
    State,
    Verdict,
)
from scoring.logic.settings import Settings

NOTHING_DECIDED = Reason(gettext_noop("No must-pass evaluator applied to this case"))
NOT_APPLICABLE = Reason(gettext_noop("This case has nothing for it to check"))
NO_VERDICT = Reason(gettext_noop("No verdict was reached"))
HOW_MANY_PASSED = gettext_noop("%(passed)d of %(count)d passed")

# Where the findings of each origin count; the counter-example's is decided by the settings (SC-D11, SC-D13).
BELONGS_TO = {
    Origin.CASE_CHECK: Evaluator.CHECKS,
    Origin.DEFAULT_CHECK: Evaluator.CHECKS,
    Origin.CASE_CRITERION: Evaluator.CHECKS,
    Origin.CALLS: Evaluator.TOOL_CALLS,
    Origin.CRITERION: Evaluator.JUDGE,
    Origin.REFERENCE_ANSWER: Evaluator.REFERENCE_ANSWER,
}


def has_something_to_check(settings: Settings, case: CaseDraft) -> bool:
    """Whether any evaluator that is on has something to check in this case; otherwise it is not scored (SC-53).

    A case's `judge` check counts while the judge is off too: it is recorded as skipped then (SC-D11).
    """
    if Evaluator.CHECKS in settings.on and (case.checks or settings.default_checks):
        return True
    if Evaluator.TOOL_CALLS in settings.on and case.expected_tool_calls:
        return True
    return bool(asked_criteria(case, settings))


def graded(
    settings: Settings,
    case: CaseDraft,
    *,
    checks: Sequence[Finding] = (),
    calls: tuple[Finding, float] | None = None,
    judged: Sequence[Finding] = (),
) -> Graded:
    """The outcome by SC-11 to SC-17 and SC-D6 to SC-D15, with a result for each evaluator that is on.

    `checks` are the findings of rules, `calls` the finding and number of the expected calls, None where the case
    expects none, `judged` a finding for each of `asked_criteria`.
    """
    found = {evaluator: list[Finding]() for evaluator in Evaluator}
    for finding in (*checks, *judged):
        found[_evaluator_of(finding, settings)].append(finding)
    if Evaluator.CHECKS in settings.on and not settings.asks_judge:
        found[Evaluator.CHECKS] += _skipped_judge_checks(case)
    results = []
    for evaluator in Evaluator:
        if evaluator not in settings.on:
            continue
        must_pass = evaluator in settings.must_pass
        if evaluator is Evaluator.TOOL_CALLS:
            results.append(_of_calls(calls, must_pass))
        else:
            results.append(_of_findings(evaluator, found[evaluator], must_pass, settings))
    return outcome_of(results)


def outcome_of(results: Sequence[EvaluatorResult]) -> Graded:
    """What the evaluators' results together make of the case.

    A failure decides whatever else has no verdict (SC-D6); a counter-example counts whether or not its evaluator must
    pass (SC-D13); where nothing that must pass applied, nothing is decided (SC-D8).
    """
    deciding = [result for result in results if result.must_pass and result.state is not State.NOT_APPLICABLE]
    counter = [finding for result in results for finding in result.findings if finding.origin is Origin.COUNTER_EXAMPLE]
    numbers = [result.number for result in results if result.number is not None]
    number = fmean(numbers) if numbers else None
    if any(result.state is State.FAIL for result in deciding) or _has(counter, Verdict.FAIL):
        return Graded(Outcome.FAIL, number, tuple(results))
    undecided = [result.why for result in deciding if result.state is State.NO_VERDICT]
    undecided += [finding.why for finding in counter if not finding.verdict.is_reached]
    if undecided:
        return Graded(Outcome.UNSCORED, number, tuple(results), next(filter(None, undecided), NO_VERDICT))
    if not deciding:
        return Graded(Outcome.UNSCORED, number, tuple(results), NOTHING_DECIDED)
    return Graded(Outcome.PASS, number, tuple(results))


def _evaluator_of(finding: Finding, settings: Settings) -> Evaluator:
    if finding.origin is Origin.COUNTER_EXAMPLE:
        return Evaluator.JUDGE if Evaluator.JUDGE in settings.on else Evaluator.REFERENCE_ANSWER
    return BELONGS_TO[finding.origin]


def _skipped_judge_checks(case: CaseDraft) -> list[Finding]:
    """The case's `judge` checks where nothing asks the judge (SC-D11)."""
    return [
        Finding(
            id=f"check-{place}",
            origin=Origin.CASE_CRITERION,
            verdict=Verdict.SKIPPED,
            name=check["criterion"],
            about={"criterion": check["criterion"]},
            why=Cause.OFF.reason,
            cause=Cause.OFF.value,
        )
        for place, check in enumerate(case.checks, start=1)
        if check["type"] == "judge"
    ]


def _of_calls(calls: tuple[Finding, float] | None, must_pass: bool) -> EvaluatorResult:
    """The expected tool calls; without any it is not applicable, whatever the order mode (SC-D34)."""
    if calls is None:
        return EvaluatorResult(Evaluator.TOOL_CALLS, must_pass, State.NOT_APPLICABLE, why=NOT_APPLICABLE)
    finding, number = calls
    state = _state([finding], [finding])
    known = number if finding.verdict.is_reached else None
    return EvaluatorResult(Evaluator.TOOL_CALLS, must_pass, state, known, finding.why, (finding,))


def _of_findings(
    evaluator: Evaluator, findings: Sequence[Finding], must_pass: bool, settings: Settings
) -> EvaluatorResult:
    """Checks, Judge or Reference answer by its findings (SC-D7, SC-D10, SC-D12)."""
    if not findings:
        return EvaluatorResult(evaluator, must_pass, State.NOT_APPLICABLE, why=NOT_APPLICABLE)
    is_rules = evaluator is Evaluator.CHECKS
    required = [finding for finding in findings if is_rules or finding.required]
    state = _state(required, findings)
    number = None
    if state is not State.NO_VERDICT:
        number = _share_passed(findings) if is_rules else _mean_grade(findings, settings)
    return EvaluatorResult(evaluator, must_pass, state, number, _why(state, required or findings), tuple(findings))


def _state(required: Sequence[Finding], findings: Sequence[Finding]) -> State:
    """Any failed: fail; otherwise any without a verdict: none; otherwise pass, if anything at all was graded."""
    if _has(required, Verdict.FAIL):
        return State.FAIL
    if all(finding.verdict.is_reached for finding in required) and any(
        finding.verdict.is_reached for finding in findings
    ):
        return State.PASS
    return State.NO_VERDICT


def _why(state: State, findings: Sequence[Finding]) -> Reason:
    """What led to the state (SC-10): what its first failed or undecided finding says, else how many passed."""
    if state is State.NO_VERDICT:
        return next((finding.why for finding in findings if not finding.verdict.is_reached), None) or NO_VERDICT
    failed = [finding.why for finding in findings if finding.verdict is Verdict.FAIL]
    passed = sum(finding.verdict is Verdict.PASS for finding in findings)
    return next(filter(None, failed), Reason(HOW_MANY_PASSED, {"passed": passed, "count": len(findings)}))


def _share_passed(findings: Sequence[Finding]) -> float:
    return sum(finding.verdict is Verdict.PASS for finding in findings) / len(findings)


def _mean_grade(findings: Sequence[Finding], settings: Settings) -> float | None:
    """The mean of (grade - 1) / (scale - 1) over the criteria that have a verdict (SC-D9)."""
    numbers = [_number(finding, settings) for finding in findings if finding.verdict.is_reached]
    return fmean(numbers) if numbers else None


def _number(finding: Finding, settings: Settings) -> float:
    """Without a grade, or where our own rule overruled it (SC-D40), the verdict is all there is."""
    passed = finding.verdict is Verdict.PASS
    if finding.grade is None or (finding.grade >= settings.pass_at) is not passed:
        return float(passed)
    return (finding.grade - 1) / (settings.scale - 1)


def _has(findings: Sequence[Finding], verdict: Verdict) -> bool:
    return any(finding.verdict is verdict for finding in findings)
