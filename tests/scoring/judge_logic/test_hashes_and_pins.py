"""What tells grades of one kind from grades of another: hashes, pins, causes (SC-D3 to SC-D5, SC-130, SC-D42)."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest

from scoring.logic.causes import CUT_OFF, EMPTY_ANSWER, REPEATS_COUNTER_EXAMPLE, TOO_LONG, Cause, GradeFault
from scoring.logic.findings import Verdict
from scoring.logic.hashes import criteria_hash, instructions_hash, sha256_of_json
from scoring.logic.pins import AGENT, BUILT_IN, COMPARED, Pin, differing_fields, pin_hash
from tests.scoring.judge_logic.makers import DEADLINE, make_settings

PIN = Pin("agent", "a-1", 3, "openai", "gpt-5", "c" * 64, 1, "i" * 64, 0.0)
SECOND = {"id": "c-2", "name": "Tone", "criterion": "Is it friendly?", "required": False}


@pytest.mark.spec("SC-D3")
def test_the_criteria_hash_is_of_canonical_json() -> None:
    written = (
        '{"criteria":[{"criterion":"Does the answer name the deadline?","id":"c-7f2a","name":"Deadline",'
        '"required":true}],"pass_at":4,"reference_answer":false,"scale":5}'
    )
    assert criteria_hash(make_settings()) == hashlib.sha256(written.encode()).hexdigest()


@pytest.mark.spec("SC-D3")
def test_canonical_json_is_utf8_without_spaces_and_sorted() -> None:
    expected = hashlib.sha256('{"a":["ż",1.5,null],"b":true}'.encode()).hexdigest()
    assert sha256_of_json({"b": True, "a": ["ż", 1.5, None]}) == expected


@pytest.mark.spec("SC-D3", "SC-D5")
@pytest.mark.parametrize(
    "changed",
    [
        {"criteria": [DEADLINE | {"criterion": "Else?"}]},
        {"criteria": [DEADLINE | {"id": "c-2"}]},
        {"criteria": [DEADLINE | {"name": "Else"}]},
        {"criteria": [DEADLINE | {"required": False}]},
        {"criteria": [DEADLINE, SECOND]},
        {"criteria": []},
        {"scale": 6},
        {"pass_at": 3},
        {"on": ("judge", "reference_answer")},
        {"on": ("checks",)},
    ],
    ids=str,
)
def test_whatever_answers_are_graded_by_changes_it(changed: dict[str, Any]) -> None:
    assert criteria_hash(make_settings(**changed)) != criteria_hash(make_settings())


@pytest.mark.spec("SC-D3")
def test_the_order_of_the_rubric_changes_it() -> None:
    one, other = make_settings(criteria=[DEADLINE, SECOND]), make_settings(criteria=[SECOND, DEADLINE])
    assert criteria_hash(one) != criteria_hash(other)


@pytest.mark.spec("SC-D3")
@pytest.mark.parametrize(
    "changed",
    [{"instructions": "Be strict."}, {"agent": "a"}, {"model": "m"}, {"on": ("judge", "tool_calls")}],
    ids=str,
)
def test_what_has_a_field_of_its_own_in_the_pin_or_needs_no_judge_does_not(changed: dict[str, Any]) -> None:
    assert criteria_hash(make_settings(**changed)) == criteria_hash(make_settings())


@pytest.mark.spec("SC-D3")
def test_the_instructions_hash_leaves_line_ends_and_composition_aside() -> None:
    expected = hashlib.sha256("Café\nBe strict.\n".encode()).hexdigest()
    assert instructions_hash("Cafe\u0301\r\nBe strict.\r") == expected
    assert instructions_hash("Café\nBe strict.\n") == expected
    assert instructions_hash("Café\n\nBe strict.\n") != expected


@pytest.mark.spec("SC-D3")
def test_empty_instructions_hash_the_empty_text() -> None:
    assert instructions_hash("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.spec("SC-146", "SC-D4")
def test_a_pin_comes_back_from_its_json() -> None:
    stored = json.loads(json.dumps(PIN.as_json()))
    assert list(stored) == [
        "judge_kind",
        "judge_id",
        "judge_version",
        "provider",
        "model",
        "criteria_hash",
        "task_version",
        "instructions_hash",
        "temperature",
    ]
    assert Pin.of_json(stored) == PIN
    assert Pin.of_json(None) is None
    assert (BUILT_IN, AGENT) == ("built_in", "agent")


@pytest.mark.spec("SC-97", "SC-98")
def test_no_temperature_is_another_thing_than_none_at_all() -> None:
    assert replace(PIN, temperature=None).as_json()["temperature"] is None
    assert PIN.as_json()["temperature"] == 0.0
    assert Pin("built_in", None, None, None, None, "", 1, "").temperature is None


OTHER = {
    "judge_id": "a-2",
    "judge_version": 4,
    "model": "gpt-6",
    "criteria_hash": "d" * 64,
    "task_version": 2,
    "instructions_hash": "j" * 64,
}


@pytest.mark.spec("SC-96", "SC-D5")
@pytest.mark.parametrize("name", OTHER)
def test_grades_differ_where_one_of_six_fields_does(name: str) -> None:
    other = replace(PIN, **{name: OTHER[name]})
    assert differing_fields(PIN, other) == (name,)
    assert pin_hash(PIN) != pin_hash(other)


@pytest.mark.spec("SC-D5")
@pytest.mark.parametrize("changed", [{"judge_kind": "built_in"}, {"provider": "azure"}, {"temperature": None}], ids=str)
def test_the_other_fields_do_not_part_grades(changed: dict[str, Any]) -> None:
    other = replace(PIN, **changed)
    assert differing_fields(PIN, other) == ()
    assert pin_hash(PIN) == pin_hash(other)


@pytest.mark.spec("SC-D5")
def test_several_differences_are_named_in_one_order() -> None:
    assert differing_fields(PIN, replace(PIN, **OTHER)) == tuple(OTHER) == tuple(COMPARED)


@pytest.mark.spec("SC-D5")
def test_each_compared_field_has_a_name_for_people() -> None:
    names = ["Judge", "Judge's version", "Model", "Criteria", "Judge's task", "Instructions"]
    assert list(COMPARED.values()) == names


@pytest.mark.spec("SC-D4", "SC-D5")
def test_a_score_without_a_judge_differs_from_one_with_a_judge_in_everything() -> None:
    assert differing_fields(None, PIN) == differing_fields(PIN, None) == tuple(COMPARED)
    assert differing_fields(None, None) == ()
    assert pin_hash(None) == ""
    assert len(pin_hash(PIN)) == 64


# --- Causes


@pytest.mark.spec("SC-130", "SC-D55")
def test_the_causes_have_the_names_that_a_refusal_uses() -> None:
    assert [str(cause) for cause in Cause] == [
        "judge_missing",
        "judge_unpublished",
        "judge_archived",
        "judge_model_missing",
        "judge_key_missing",
        "judge_forbidden",
        "judge_budget",
        "judge_failed",
        "judge_unreadable",
        "judge_off",
    ]


@pytest.mark.spec("SC-130")
def test_each_cause_and_each_fault_has_words_of_its_own() -> None:
    reasons = [one.reason for one in (*Cause, *GradeFault)]
    words = [reason.in_english for reason in (*reasons, CUT_OFF, TOO_LONG, REPEATS_COUNTER_EXAMPLE, EMPTY_ANSWER)]
    assert len(set(words)) == len(words) == 20
    assert all(words)


@pytest.mark.spec("SC-D40", "SC-D11", "SC-D15")
@pytest.mark.parametrize(
    ("reason", "words"),
    [
        (Cause.OFF.reason, "The judge is off"),
        (GradeFault.GRADED_TWICE.reason, "Graded more than once"),
        (GradeFault.NOT_GRADED.reason, "Not graded"),
        (GradeFault.OUTSIDE_SCALE.reason, "Grade outside the scale"),
        (GradeFault.QUOTES_WHAT_BOTH_SAY.reason, "Quotes only what both say"),
        (GradeFault.QUOTES_NOTHING.reason, "Quotes nothing of an answer that copies the counter-example"),
        (GradeFault.REPEATS_CRITERION.reason, "The reason repeats the criterion"),
        (REPEATS_COUNTER_EXAMPLE, "The answer is the counter-example, or a part of it"),
        (EMPTY_ANSWER, "The answer is empty"),
        (Cause.MISSING.reason, "The judge that the dataset chose no longer exists"),
        (Cause.UNPUBLISHED.reason, "The judge has no published version"),
        (Cause.ARCHIVED.reason, "The judge is archived"),
        (Cause.MODEL_MISSING.reason, "The judge has no model: none is chosen, or it no longer exists"),
        (Cause.KEY_MISSING.reason, "The judge's model has no key"),
        (Cause.FORBIDDEN.reason, "The person who asked for the score may not run the judge"),
        (Cause.BUDGET.reason, "The judge's budget is used up"),
        (Cause.FAILED.reason, "The judge's run failed"),
        (Cause.UNREADABLE.reason, "The judge's reply could not be read"),
        (CUT_OFF, "The judge's reply was cut off at the token limit of its model"),
        (TOO_LONG, "The judge's run failed: its model refuses the request as too long"),
    ],
)
def test_reasons_say_in_these_words(reason: Any, words: str) -> None:
    assert reason.in_english == words


@pytest.mark.spec("SC-D40")
def test_faults_keep_their_names() -> None:
    assert [str(fault) for fault in GradeFault] == [
        "graded_twice",
        "not_graded",
        "grade_outside_scale",
        "quotes_what_both_say",
        "quotes_nothing",
        "reason_repeats_criterion",
    ]


@pytest.mark.spec("SC-D42")
@pytest.mark.parametrize("cause", Cause)
def test_it_is_an_error_only_where_the_judge_was_called(cause: Cause) -> None:
    called = cause in (Cause.FAILED, Cause.UNREADABLE)
    assert cause.was_called is called
    assert cause.verdict is (Verdict.ERROR if called else Verdict.SKIPPED)
