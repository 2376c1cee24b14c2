"""The JSON in which a score keeps what grading found, and what of it may be shown without words (SC-D61, SC-168)."""

import pytest

from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, Quote, Reason, State, Verdict

WHY = Reason("The answer contains “%(value)s”", {"value": "kettle"})
WHOLE = Finding(
    id="c-1",
    origin=Origin.CRITERION,
    verdict=Verdict.FAIL,
    name="Tone",
    about={"criterion": "Is it polite?"},
    required=False,
    why=WHY,
    cause="cut_off",
    grade=2,
    reason="It is rude.",
    rule="repeats",
    quotes=(Quote("Go away", verified=True), Quote("Never", verified=False)),
    is_unverified=True,
)
WHOLE_JSON = {
    "id": "c-1",
    "origin": "criterion",
    "verdict": "fail",
    "name": "Tone",
    "required": False,
    "why": {"text": "The answer contains “%(value)s”", "values": {"value": "kettle"}},
    "quotes": [{"text": "Go away", "verified": True}, {"text": "Never", "verified": False}],
    "about": {"criterion": "Is it polite?"},
    "cause": "cut_off",
    "grade": 2,
    "reason": "It is rude.",
    "rule": "repeats",
    "is_unverified": True,
}
BARE = Finding("check-1", Origin.CASE_CHECK, Verdict.PASS)
BARE_JSON = {"id": "check-1", "origin": "case_check", "verdict": "pass", "name": ""}


def test_a_finding_is_kept_with_all_that_it_says_and_nothing_else() -> None:
    assert WHOLE.as_json() == WHOLE_JSON
    assert BARE.as_json() == BARE_JSON
    # Nought and false are something that is said.
    assert Finding("a", Origin.CALLS, Verdict.PASS, about=0).as_json()["about"] == 0


def test_a_finding_is_read_as_it_was_kept() -> None:
    assert Finding.of_json(WHOLE_JSON) == WHOLE
    found = Finding.of_json(BARE_JSON)
    assert found == BARE
    assert type(found.origin) is Origin
    assert type(found.verdict) is Verdict


def test_reading_a_finding_leaves_what_is_stored_as_it_is() -> None:
    stored = {**WHOLE_JSON}
    Finding.of_json(stored)
    assert stored == WHOLE_JSON


@pytest.mark.spec("SC-D61", "SC-168")
def test_without_words_a_finding_says_what_came_out_and_nothing_of_case_or_answer() -> None:
    assert WHOLE.without_words() == Finding(
        "c-1", Origin.CRITERION, Verdict.FAIL, required=False, cause="cut_off", grade=2, is_unverified=True
    )
    assert WHOLE.without_words().as_json() == {
        "id": "c-1",
        "origin": "criterion",
        "verdict": "fail",
        "name": "",
        "required": False,
        "cause": "cut_off",
        "grade": 2,
        "is_unverified": True,
    }


def test_a_reason_is_said_in_english_with_its_values() -> None:
    assert WHY.in_english == "The answer contains “kettle”"
    assert Reason("100 %%").in_english == "100 %"
    assert Reason.of_json(WHY.as_json()) == WHY
    assert Reason.of_json(None) is None


@pytest.mark.spec("SC-10", "SC-D9")
def test_the_result_of_an_evaluator_is_kept_and_read() -> None:
    full = EvaluatorResult(Evaluator.JUDGE, False, State.FAIL, 0.25, WHY, (WHOLE, BARE))
    assert full.as_json() == {
        "evaluator": "judge",
        "must_pass": False,
        "state": "fail",
        "number": 0.25,
        "why": WHY.as_json(),
        "findings": [WHOLE_JSON, BARE_JSON],
    }
    found = EvaluatorResult.of_json(full.as_json())
    assert found == full
    assert (type(found.evaluator), type(found.state)) == (Evaluator, State)
    bare = EvaluatorResult(Evaluator.CHECKS, True, State.NOT_APPLICABLE)
    assert bare.as_json()["why"] is None
    assert EvaluatorResult.of_json(bare.as_json()) == bare


@pytest.mark.spec("SC-D42")
@pytest.mark.parametrize(
    ("verdict", "reached"),
    [(Verdict.PASS, True), (Verdict.FAIL, True), (Verdict.ERROR, False), (Verdict.SKIPPED, False)],
)
def test_a_verdict_is_reached_where_something_passed_or_failed(verdict: Verdict, reached: bool) -> None:
    assert verdict.is_reached is reached
