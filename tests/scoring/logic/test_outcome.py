"""The outcome of a case by what each evaluator found (SC-11 to SC-17, SC-D6 to SC-D15)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.logic.drafts import CaseDraft
from scoring.logic.causes import CUT_OFF, Cause
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
from scoring.logic.outcome import graded, has_something_to_check, outcome_of
from scoring.logic.settings import Settings
from scoring.logic.settings_changes import completed

P, F, E, S = Verdict.PASS, Verdict.FAIL, Verdict.ERROR, Verdict.SKIPPED
CHECK = {"type": "contains", "value": "kettle"}
JUDGE_CHECK = {"type": "judge", "criterion": "Is it polite?"}
CRITERION = {"id": "c-1", "name": "Tone", "criterion": "Is it polite?", "required": True}
CASE = CaseDraft(input="q", checks=(CHECK,))


def settings_of(**changes: Any) -> Settings:
    """The defaults with these evaluators' settings changed."""
    return Settings.of_json(completed(changes))


def judging(**more: Any) -> Settings:
    return settings_of(judge={"enabled": True, "criteria": [CRITERION], **more})


def check(verdict: Verdict, place: int = 1, **more: Any) -> Finding:
    return Finding(f"check-{place}", Origin.CASE_CHECK, verdict, name="contains", **more)


def criterion(verdict: Verdict, grade: int | None = None, **more: Any) -> Finding:
    return Finding(**{"id": "c-1", "origin": Origin.CRITERION, "verdict": verdict, "grade": grade, **more})


def counter(verdict: Verdict, grade: int | None = None, **more: Any) -> Finding:
    return criterion(verdict, grade, id="counter-example", origin=Origin.COUNTER_EXAMPLE, **more)


def reference(verdict: Verdict, grade: int | None = None, **more: Any) -> Finding:
    return criterion(verdict, grade, id="reference-answer", origin=Origin.REFERENCE_ANSWER, **more)


def result_of(found: Graded, evaluator: Evaluator) -> EvaluatorResult:
    return next(result for result in found.results if result.evaluator is evaluator)


def english(reason: Reason | None) -> str:
    return reason.in_english if reason else ""


# --- Evaluators


@pytest.mark.spec("SC-D10")
@pytest.mark.parametrize(
    ("verdicts", "state"),
    [
        ([P, P], State.PASS),
        ([P, F], State.FAIL),
        ([F, E], State.FAIL),
        ([P, E], State.NO_VERDICT),
        ([P, S], State.NO_VERDICT),
        ([S, S], State.NO_VERDICT),
    ],
)
def test_checks_fail_by_one_and_pass_by_all(verdicts: list[Verdict], state: State) -> None:
    findings = [check(verdict, place) for place, verdict in enumerate(verdicts, 1)]
    assert result_of(graded(settings_of(), CASE, checks=findings), Evaluator.CHECKS).state is state


@pytest.mark.spec("SC-D9")
def test_the_number_of_checks_is_the_share_that_passed_and_null_without_a_verdict() -> None:
    mixed = graded(settings_of(), CASE, checks=[check(P, 1), check(F, 2), check(E, 3), check(P, 4)])
    assert result_of(mixed, Evaluator.CHECKS).number == 0.5
    unknown = graded(settings_of(), CASE, checks=[check(P, 1), check(E, 2)])
    assert result_of(unknown, Evaluator.CHECKS).number is None


@pytest.mark.spec("SC-10")
@pytest.mark.parametrize(
    ("findings", "why"),
    [
        ([check(P, 1), check(P, 2)], "2 of 2 passed"),
        ([check(P, 1), check(F, 2), check(F, 3)], "1 of 3 passed"),
        ([check(P, 1), check(F, 2, why=Reason("Too long")), check(F, 3, why=Reason("Else"))], "Too long"),
        ([check(F, 1), check(F, 2, why=Reason("Too long"))], "Too long"),
        ([check(F, 1, why=Reason("Too long")), check(E, 2, why=CUT_OFF)], "Too long"),
        ([check(P, 1), check(E, 2)], "No verdict was reached"),
        ([check(P, 1, why=Reason("Fine")), check(E, 2, why=Reason("Not known"))], "Not known"),
    ],
)
def test_every_evaluator_gives_a_reason(findings: list[Finding], why: str) -> None:
    assert english(result_of(graded(settings_of(), CASE, checks=findings), Evaluator.CHECKS).why) == why


@pytest.mark.spec("SC-D7", "SC-D34")
def test_an_evaluator_with_nothing_to_check_is_listed_and_takes_no_part() -> None:
    found = graded(settings_of(), CASE, checks=[check(P)])
    calls = result_of(found, Evaluator.TOOL_CALLS)
    assert (calls.state, calls.number) == (State.NOT_APPLICABLE, None)
    assert found.outcome is Outcome.PASS
    assert [result.evaluator for result in found.results] == [Evaluator.CHECKS, Evaluator.TOOL_CALLS]


@pytest.mark.spec("SC-D9")
def test_the_number_of_expected_calls_is_the_one_that_was_counted() -> None:
    calls = Finding("tool-calls", Origin.CALLS, F, why=Reason("Missing: `refund`"))
    found = graded(settings_of(), CASE, calls=(calls, 0.25))
    assert result_of(found, Evaluator.TOOL_CALLS).number == 0.25
    assert english(result_of(found, Evaluator.TOOL_CALLS).why) == "Missing: `refund`"


@pytest.mark.spec("SC-D7", "SC-17")
@pytest.mark.parametrize("must_pass", [True, False])
def test_the_result_of_an_evaluator_says_whether_it_must_pass_and_what_it_found(must_pass: bool) -> None:
    settings = settings_of(checks={"must_pass": must_pass}, tool_calls={"must_pass": must_pass})
    nothing = Reason("This case has nothing for it to check")
    assert graded(settings, CaseDraft(input="q")).results == (
        EvaluatorResult(Evaluator.CHECKS, must_pass, State.NOT_APPLICABLE, why=nothing),
        EvaluatorResult(Evaluator.TOOL_CALLS, must_pass, State.NOT_APPLICABLE, why=nothing),
    )
    failed = check(F, why=Reason("Too long"))
    calls = Finding("tool-calls", Origin.CALLS, P, why=Reason("Every expected call was made"))
    assert graded(settings, CASE, checks=[failed], calls=(calls, 1.0)).results == (
        EvaluatorResult(Evaluator.CHECKS, must_pass, State.FAIL, 0.0, Reason("Too long"), (failed,)),
        EvaluatorResult(Evaluator.TOOL_CALLS, must_pass, State.PASS, 1.0, calls.why, (calls,)),
    )


@pytest.mark.spec("SC-D9")
@pytest.mark.parametrize("verdict", [E, S])
def test_calls_without_a_verdict_have_no_number(verdict: Verdict) -> None:
    found = graded(settings_of(), CASE, calls=(Finding("tool-calls", Origin.CALLS, verdict), 0.5))
    calls = result_of(found, Evaluator.TOOL_CALLS)
    assert (calls.state, calls.number) == (State.NO_VERDICT, None)


@pytest.mark.spec("SC-D12")
def test_only_required_criteria_decide_and_the_others_move_the_number() -> None:
    found = graded(judging(), CASE, judged=[criterion(P, 5), criterion(F, 1, id="c-2", required=False)])
    judge = result_of(found, Evaluator.JUDGE)
    assert (judge.state, judge.number) == (State.PASS, 0.5)
    assert result_of(graded(judging(), CASE, judged=[criterion(F, 3)]), Evaluator.JUDGE).state is State.FAIL


def test_a_criterion_that_is_not_required_and_has_no_verdict_decides_nothing() -> None:
    found = graded(judging(), CASE, judged=[criterion(P, 5), criterion(E, id="c-2", required=False)])
    assert result_of(found, Evaluator.JUDGE).state is State.PASS
    nothing_graded = graded(judging(), CASE, judged=[criterion(S, required=False)])
    assert result_of(nothing_graded, Evaluator.JUDGE).state is State.NO_VERDICT


@pytest.mark.spec("SC-D9")
@pytest.mark.parametrize(("grade", "scale", "number"), [(4, 5, 0.75), (1, 5, 0.0), (2, 2, 1.0), (10, 10, 1.0)])
def test_a_grade_counts_by_its_place_on_the_scale(grade: int, scale: int, number: float) -> None:
    settings = judging(scale=scale, pass_at=2)
    verdict = P if grade >= 2 else F
    assert result_of(graded(settings, CASE, judged=[criterion(verdict, grade)]), Evaluator.JUDGE).number == number


@pytest.mark.spec("SC-D9", "SC-D15", "SC-122")
def test_a_verdict_of_our_own_counts_whole_whatever_the_judge_said() -> None:
    """An empty answer has no grade, and one that is the counter-example fails beside a grade of five."""
    empty = graded(judging(), CASE, judged=[criterion(F), counter(P, is_unverified=True)])
    assert result_of(empty, Evaluator.JUDGE).number == 0.5
    copied = graded(judging(), CASE, judged=[criterion(P, 5), counter(F, 5)])
    assert result_of(copied, Evaluator.JUDGE).number == 0.5


# --- Judge checks of a case


@pytest.mark.spec("SC-D11")
def test_a_judge_check_belongs_to_checks() -> None:
    case = CaseDraft(input="q", checks=(CHECK, JUDGE_CHECK))
    finding = Finding("check-2", Origin.CASE_CRITERION, F, grade=2)
    found = graded(judging(), case, checks=[check(P)], judged=[criterion(P, 5), finding])
    assert result_of(found, Evaluator.CHECKS).state is State.FAIL
    assert result_of(found, Evaluator.JUDGE).state is State.PASS


@pytest.mark.spec("SC-D11", "SC-15")
def test_a_judge_check_is_skipped_where_the_judge_is_off_and_checks_have_no_verdict() -> None:
    case = CaseDraft(input="q", checks=(CHECK, JUDGE_CHECK))
    found = graded(settings_of(), case, checks=[check(P)])
    skipped = result_of(found, Evaluator.CHECKS).findings[1]
    assert (skipped.id, skipped.origin, skipped.verdict, skipped.cause) == (
        "check-2",
        Origin.CASE_CRITERION,
        S,
        "judge_off",
    )
    assert (found.outcome, english(found.why)) == (Outcome.UNSCORED, "The judge is off")


@pytest.mark.spec("SC-D11")
def test_a_skipped_judge_check_says_what_it_would_have_asked() -> None:
    found = graded(settings_of(), CaseDraft(input="q", checks=(JUDGE_CHECK,)))
    assert result_of(found, Evaluator.CHECKS).findings == (
        Finding(
            "check-1",
            Origin.CASE_CRITERION,
            S,
            name="Is it polite?",
            about={"criterion": "Is it polite?"},
            why=Reason("The judge is off"),
            cause="judge_off",
        ),
    )


@pytest.mark.spec("SC-D11")
def test_no_judge_check_is_skipped_where_the_judge_is_asked() -> None:
    case = CaseDraft(input="q", checks=(JUDGE_CHECK,))
    graded_check = Finding("check-1", Origin.CASE_CRITERION, P, grade=5)
    for settings in (judging(), settings_of(reference_answer={"enabled": True})):
        found = graded(settings, case, judged=[graded_check])
        assert result_of(found, Evaluator.CHECKS).findings == (graded_check,)


@pytest.mark.spec("SC-D11")
def test_a_judge_check_is_nothing_where_checks_are_off() -> None:
    settings = settings_of(checks={"enabled": False}, judge={"enabled": True, "criteria": [CRITERION]})
    found = graded(settings, CaseDraft(input="q", checks=(JUDGE_CHECK,)), judged=[criterion(P, 5)])
    assert [result.evaluator for result in found.results] == [Evaluator.TOOL_CALLS, Evaluator.JUDGE]


# --- The case


@pytest.mark.spec("SC-11", "SC-12", "SC-13", "SC-14")
@pytest.mark.parametrize(
    ("checks", "judged", "outcome"),
    [
        (P, P, Outcome.PASS),
        (F, P, Outcome.FAIL),
        (P, F, Outcome.FAIL),
        (P, E, Outcome.UNSCORED),
        (P, S, Outcome.UNSCORED),
    ],
)
def test_every_evaluator_that_must_pass_decides(checks: Verdict, judged: Verdict, outcome: Outcome) -> None:
    assert graded(judging(), CASE, checks=[check(checks)], judged=[criterion(judged)]).outcome is outcome


@pytest.mark.spec("SC-D6")
def test_a_failure_decides_whatever_else_has_no_verdict() -> None:
    found = graded(judging(), CASE, checks=[check(F)], judged=[criterion(E, why=CUT_OFF)])
    assert (found.outcome, found.why) == (Outcome.FAIL, None)


@pytest.mark.spec("SC-17")
@pytest.mark.parametrize("verdict", list(Verdict))
def test_an_evaluator_that_need_not_pass_never_changes_the_outcome(verdict: Verdict) -> None:
    settings = judging(must_pass=False)
    assert graded(settings, CASE, checks=[check(P)], judged=[criterion(verdict)]).outcome is Outcome.PASS
    assert graded(settings, CASE, checks=[check(F)], judged=[criterion(verdict)]).outcome is Outcome.FAIL


@pytest.mark.spec("SC-D8", "SC-15")
def test_nothing_is_passed_where_no_evaluator_that_must_pass_applied() -> None:
    found = graded(judging(must_pass=False), CaseDraft(input="q", reference_answer="a"), judged=[criterion(P, 5)])
    assert (found.outcome, found.number) == (Outcome.UNSCORED, 1.0)
    assert english(found.why) == "No must-pass evaluator applied to this case"


@pytest.mark.spec("SC-15", "SC-129")
@pytest.mark.parametrize("cause", list(Cause))
def test_an_unscored_case_says_why(cause: Cause) -> None:
    found = graded(
        judging(), CASE, checks=[check(P)], judged=[criterion(cause.verdict, cause=cause.value, why=cause.reason)]
    )
    assert (found.outcome, found.why) == (Outcome.UNSCORED, cause.reason)
    assert result_of(found, Evaluator.JUDGE).why == cause.reason


@pytest.mark.spec("SC-D9")
def test_the_number_of_a_case_is_the_mean_of_those_that_are_known() -> None:
    found = graded(judging(), CASE, checks=[check(P, 1), check(F, 2)], judged=[criterion(P, 5)])
    assert found.number == 0.75
    assert graded(judging(), CASE, checks=[check(P)], judged=[criterion(E)]).number == 1.0
    assert graded(judging(), CASE, judged=[criterion(E)]).number is None


# --- The counter-example


@pytest.mark.spec("SC-D13")
@pytest.mark.parametrize(
    ("verdict", "outcome"), [(P, Outcome.PASS), (F, Outcome.FAIL), (E, Outcome.UNSCORED), (S, Outcome.UNSCORED)]
)
def test_the_counter_example_counts_where_its_evaluator_need_not_pass(verdict: Verdict, outcome: Outcome) -> None:
    judged = [criterion(P, 5), counter(verdict, why=CUT_OFF if not verdict.is_reached else None)]
    found = graded(judging(must_pass=False), CASE, checks=[check(P)], judged=judged)
    assert found.outcome is outcome
    assert (found.why is not None) is (outcome is Outcome.UNSCORED)


@pytest.mark.spec("SC-D13", "SC-D14")
def test_the_counter_example_is_listed_under_reference_answer_where_your_criteria_is_off() -> None:
    settings = settings_of(reference_answer={"enabled": True})
    case = CaseDraft(input="q", counter_example="Never.")
    found = graded(settings, case, judged=[counter(P, 5)])
    alone = result_of(found, Evaluator.REFERENCE_ANSWER)
    assert [finding.id for finding in alone.findings] == ["counter-example"]
    assert found.outcome is Outcome.PASS
    both = graded(judging(), case, judged=[criterion(P, 5), counter(F, 1)])
    assert [finding.id for finding in result_of(both, Evaluator.JUDGE).findings] == ["c-1", "counter-example"]


@pytest.mark.spec("SC-D9")
def test_the_reference_answer_passes_and_counts_by_its_grade() -> None:
    settings = settings_of(reference_answer={"enabled": True})
    found = graded(settings, CaseDraft(input="q", reference_answer="a"), judged=[reference(P, 4)])
    assert (found.outcome, found.number) == (Outcome.PASS, 0.75)


# --- Whether there is anything to check


@pytest.mark.spec("SC-53", "SC-25")
@pytest.mark.parametrize(
    ("case", "settings", "something"),
    [
        (CaseDraft("q", checks=(CHECK,)), settings_of(), True),
        (CaseDraft("q", checks=(CHECK,)), settings_of(checks={"enabled": False}), False),
        (CaseDraft("q", checks=(JUDGE_CHECK,)), settings_of(), True),
        (CaseDraft("q", reference_answer="a"), settings_of(), False),
        (CaseDraft("q", reference_answer="a"), settings_of(checks={"defaults": [CHECK]}), True),
        (CaseDraft("q", reference_answer="a"), settings_of(reference_answer={"enabled": True}), True),
        (CaseDraft("q", counter_example="a"), settings_of(reference_answer={"enabled": True}), True),
        (CaseDraft("q", counter_example="a"), settings_of(), False),
        (CaseDraft("q", expected_tool_calls=({"tool": "t", "args": {}},)), settings_of(), True),
        (CaseDraft("q", reference_answer="a"), judging(), True),
    ],
)
def test_a_case_is_scored_only_where_something_is_checked(case: CaseDraft, settings: Settings, something: bool) -> None:
    assert has_something_to_check(settings, case) is something


# --- For all settings


@st.composite
def results(draw: st.DrawFn) -> list[EvaluatorResult]:
    on = draw(st.lists(st.sampled_from(list(Evaluator)), unique=True))
    found = []
    for evaluator in on:
        state = draw(st.sampled_from(list(State)))
        known = state in (State.PASS, State.FAIL)
        number = draw(st.floats(0, 1)) if known else None
        found.append(EvaluatorResult(evaluator, draw(st.booleans()), state, number))
    return found


@given(results())
@pytest.mark.spec("SC-11", "SC-12", "SC-13", "SC-17")
def test_the_outcome_follows_from_the_states_of_what_must_pass(found: list[EvaluatorResult]) -> None:
    outcome = outcome_of(found)
    deciding = {result.state for result in found if result.must_pass} - {State.NOT_APPLICABLE}
    assert (outcome.outcome is Outcome.FAIL) == (State.FAIL in deciding)
    assert (outcome.outcome is Outcome.PASS) == (deciding == {State.PASS})
    assert (outcome.why is not None) == (outcome.outcome is Outcome.UNSCORED)
    assert outcome.number is None or 0 <= outcome.number <= 1
