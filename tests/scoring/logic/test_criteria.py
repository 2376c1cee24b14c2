"""What one judge run is asked for a case, and in which order (SC-9, SC-115, SC-117, SC-D11 to SC-D14, SC-D36)."""

from typing import Any

import pytest

from datasets.logic.drafts import CaseDraft
from scoring.logic.criteria import COUNTER_EXAMPLE_TEXT, REFERENCE_ANSWER_TEXT, AskedCriterion, asked_criteria
from scoring.logic.findings import Evaluator, Origin
from scoring.logic.settings import Criterion, Settings
from scoring.logic.settings_changes import completed

TONE = {"id": "c-1", "name": "Tone", "criterion": "Is it polite?", "required": True}
STYLE = {"id": "c-2", "name": "Style", "criterion": "Is it short?", "required": False}
CASE = CaseDraft(
    input="q",
    checks=({"type": "contains", "value": "a"}, {"type": "judge", "criterion": "Does it apologise?"}),
    reference_answer="Yes.",
    counter_example="No.",
)
RUBRIC = (
    AskedCriterion("c-1", "Is it polite?", Origin.CRITERION, Evaluator.JUDGE, "Tone", required=True),
    AskedCriterion("c-2", "Is it short?", Origin.CRITERION, Evaluator.JUDGE, "Style", required=False),
)
OWN = AskedCriterion("check-2", "Does it apologise?", Origin.CASE_CRITERION, Evaluator.CHECKS, "", required=True)
REFERENCE = AskedCriterion(
    "reference-answer",
    REFERENCE_ANSWER_TEXT,
    Origin.REFERENCE_ANSWER,
    Evaluator.REFERENCE_ANSWER,
    "Reference answer",
    required=True,
)


def counter(belongs_to: Evaluator) -> AskedCriterion:
    return AskedCriterion(
        "counter-example", COUNTER_EXAMPLE_TEXT, Origin.COUNTER_EXAMPLE, belongs_to, "Counter-example", required=True
    )


def settings(**changes: Any) -> Settings:
    return Settings.of_json(completed(changes))


JUDGE = {"enabled": True, "criteria": [TONE, STYLE]}


@pytest.mark.spec("SC-9", "SC-115", "SC-117", "SC-D13", "SC-D36")
def test_one_run_grades_the_rubric_the_cases_own_criteria_its_reference_answer_and_its_counter_example() -> None:
    both = settings(judge=JUDGE, reference_answer={"enabled": True})
    assert asked_criteria(CASE, both) == (*RUBRIC, OWN, REFERENCE, counter(Evaluator.JUDGE))


@pytest.mark.spec("SC-D11", "SC-D14")
def test_what_is_off_is_not_asked() -> None:
    assert asked_criteria(CASE, settings()) == ()
    assert asked_criteria(CASE, settings(judge=JUDGE)) == (*RUBRIC, OWN, counter(Evaluator.JUDGE))
    without_checks = settings(judge=JUDGE, checks={"enabled": False})
    assert asked_criteria(CASE, without_checks) == (*RUBRIC, counter(Evaluator.JUDGE))
    alone = settings(judge={**JUDGE, "enabled": False}, reference_answer={"enabled": True})
    assert asked_criteria(CASE, alone) == (OWN, REFERENCE, counter(Evaluator.REFERENCE_ANSWER))


@pytest.mark.spec("SC-115", "SC-117")
def test_what_the_case_does_not_have_is_not_asked() -> None:
    both = settings(judge=JUDGE, reference_answer={"enabled": True})
    assert asked_criteria(CaseDraft(input="q"), both) == RUBRIC


@pytest.mark.spec("SC-D1", "SC-D16", "RV-37")
def test_settings_are_read_as_they_are_stored() -> None:
    check = {"type": "contains", "value": "a"}
    found = settings(
        checks={"must_pass": False, "defaults": [check]},
        tool_calls={"enabled": False},
        judge={
            **JUDGE,
            "agent": "an agent",
            "model": "a model",
            "instructions": "Be strict.",
            "scale": 7,
            "pass_at": 6,
        },
        review_by_person="all",
    )
    assert found == Settings(
        on=frozenset({Evaluator.CHECKS, Evaluator.JUDGE}),
        must_pass=frozenset({Evaluator.TOOL_CALLS, Evaluator.JUDGE, Evaluator.REFERENCE_ANSWER}),
        default_checks=(check,),
        criteria=(Criterion("c-1", "Tone", "Is it polite?", True), Criterion("c-2", "Style", "Is it short?", False)),
        judge_agent="an agent",
        judge_model="a model",
        instructions="Be strict.",
        scale=7,
        pass_at=6,
        review_by_person="all",
    )
    assert [one.as_json() for one in found.criteria] == [TONE, STYLE]


@pytest.mark.spec("SC-D11")
def test_the_judge_is_asked_for_criteria_and_for_reference_answers() -> None:
    assert not settings().asks_judge
    assert settings(judge=JUDGE).asks_judge
    assert settings(reference_answer={"enabled": True}).asks_judge
