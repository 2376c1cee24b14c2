"""What each evaluator and criterion made of the answers."""

from typing import Any

import pytest

from evals.logic.evaluator_totals import evaluator_totals
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, State, Verdict

TONE = {"id": "c-1", "origin": Origin.CRITERION, "name": "Tone"}


def result(evaluator: Evaluator, state: State, number: float | None = None, *findings: Finding) -> dict[str, Any]:
    return EvaluatorResult(evaluator, True, state, number, findings=findings).as_json()


def finding(verdict: Verdict, grade: int | None = None, **values: Any) -> Finding:
    return Finding(**{**TONE, "verdict": verdict, "grade": grade, **values})


@pytest.mark.spec("EV-D38", "EV-6")
def test_states_and_numbers_are_added_for_each_evaluator() -> None:
    checks, judge = Evaluator.CHECKS, Evaluator.JUDGE
    found = evaluator_totals(
        [
            [result(checks, State.PASS, 1.0), result(judge, State.FAIL, 0.25)],
            [result(checks, State.FAIL, 0.5), result(judge, State.NO_VERDICT)],
            [result(checks, State.NOT_APPLICABLE), result(judge, State.PASS, 0.75)],
            [],
        ]
    )
    assert [(one.name, one.passed, one.failed, one.no_verdict, one.not_applicable, one.mean) for one in found] == [
        ("checks", 1, 1, 0, 1, 0.75),
        ("judge", 1, 1, 1, 0, 0.5),
    ]


@pytest.mark.spec("EV-D38", "EV-6")
def test_criteria_of_the_dataset_are_counted_by_themselves() -> None:
    judge = Evaluator.JUDGE
    verdicts = [
        finding(Verdict.PASS, 5),
        finding(Verdict.FAIL, 2),
        finding(Verdict.ERROR),
        finding(Verdict.SKIPPED),
    ]
    own = finding(Verdict.PASS, id="check-1", origin=Origin.CASE_CHECK)
    found = evaluator_totals([[result(judge, State.PASS, 1.0, one, own)] for one in verdicts])
    assert list(found[0].criteria) == ["c-1"]
    tone = found[0].criteria["c-1"]
    assert (tone.name, tone.origin, tone.passed, tone.failed, tone.no_verdict, tone.mean) == (
        "Tone", "criterion", 1, 1, 2, 3.5,
    )  # fmt: skip


def test_a_name_that_was_removed_is_taken_from_another_score() -> None:
    judge = Evaluator.JUDGE
    seen = [finding(Verdict.PASS, name=""), finding(Verdict.PASS, name="Tone")]
    found = evaluator_totals([[result(judge, State.PASS, 1.0, one)] for one in seen])
    assert found[0].criteria["c-1"].name == "Tone"


@pytest.mark.spec("BC-28")
def test_the_mean_of_nothing_is_nothing() -> None:
    assert evaluator_totals([[result(Evaluator.JUDGE, State.NO_VERDICT)]])[0].mean is None
    assert evaluator_totals([]) == []
