"""From what a judge said to findings, rule by rule (SC-105 to SC-122, SC-129, SC-D15, SC-D40, SC-D41)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.limits import LIMITS
from datasets.logic.drafts import CaseDraft
from scoring.logic.answers import GradedAnswer
from scoring.logic.causes import CUT_OFF, EMPTY_ANSWER, REPEATS_COUNTER_EXAMPLE, Cause, GradeFault
from scoring.logic.criteria import asked_criteria
from scoring.logic.findings import Finding, Origin, Quote, Reason, Verdict
from scoring.logic.prompt import CUT_MARK
from scoring.logic.replies import read_reply
from scoring.logic.verdicts import findings_of, findings_of_empty_answer, findings_without_verdict
from tests.scoring.judge_logic.makers import DEADLINE, KETTLE, asked, found, make_case, make_settings, verdict

ANSWER = "It is Friday at noon. We send a reminder."
BAD_KETTLE = make_case(counter_example=KETTLE)
LONGER = "Yes, you can return a used kettle, but only within 30 days and with the receipt."
NO = "Used kettles stay with you."
RESTATED = "The answer names the deadline."
KEY = "sk-proj-" + "a1B2c3D4e5F6g7H8" * 3


def deadline(answer: str = ANSWER, **said: Any) -> Finding:
    """The finding on the rubric's one criterion."""
    return found(verdict(**said), answer=answer)["c-7f2a"]


def kettle(answer: str, grade: Any = 5, **said: Any) -> Finding:
    """The finding on the counter-example, beside a rubric that was graded too."""
    return found(verdict(), verdict("counter-example", grade, **said), answer=answer, case=BAD_KETTLE)[
        "counter-example"
    ]


def assert_fault(finding: Finding, fault: GradeFault) -> None:
    assert (finding.verdict, finding.why, finding.cause) == (Verdict.ERROR, fault.reason, fault.value)
    assert not finding.is_unverified


# --- Rule 7: pass or fail by the pass mark


@pytest.mark.spec("SC-105", "SC-D40")
@pytest.mark.parametrize(
    ("grade", "scale", "pass_at", "expected"),
    [
        (1, 5, 4, Verdict.FAIL),
        (3, 5, 4, Verdict.FAIL),
        (4, 5, 4, Verdict.PASS),
        (5, 5, 4, Verdict.PASS),
        (1, 2, 2, Verdict.FAIL),
        (2, 2, 2, Verdict.PASS),
        (10, 10, 10, Verdict.PASS),
        (9, 10, 10, Verdict.FAIL),
    ],
)
def test_a_grade_passes_at_the_mark_or_above(grade: int, scale: int, pass_at: int, expected: Verdict) -> None:
    settings = make_settings(scale=scale, pass_at=pass_at)
    one = found(verdict(grade=grade, quotes=["Friday"]), answer=ANSWER, settings=settings)["c-7f2a"]
    assert (one.verdict, one.grade, one.why, one.cause) == (expected, grade, None, "")


@pytest.mark.spec("SC-72", "SC-73", "SC-D11")
def test_each_criterion_becomes_a_finding_that_says_what_it_is_about() -> None:
    case = make_case(
        reference_answer="Friday.",
        counter_example="Monday.",
        checks=({"type": "judge", "criterion": "Is it short?"},),
    )
    rubric = [DEADLINE, {"id": "c-2", "name": "Tone", "criterion": "Is it friendly?", "required": False}]
    settings = make_settings(on=("checks", "judge", "reference_answer"), criteria=rubric)
    ids = ["c-7f2a", "c-2", "check-1", "reference-answer", "counter-example"]
    entries = [verdict(one, 5, quotes=["Friday at noon"]) for one in reversed(ids)]
    findings = found(*entries, answer=ANSWER, case=case, settings=settings)
    assert list(findings) == ids
    assert [one.origin for one in findings.values()] == [
        Origin.CRITERION,
        Origin.CRITERION,
        Origin.CASE_CRITERION,
        Origin.REFERENCE_ANSWER,
        Origin.COUNTER_EXAMPLE,
    ]
    assert [one.name for one in findings.values()] == [
        "Deadline",
        "Tone",
        "Is it short?",
        "Reference answer",
        "Counter-example",
    ]
    assert [one.about["criterion"] for one in findings.values()] == [one.criterion for one in asked(case, settings)]
    assert [one.required for one in findings.values()] == [True, False, True, True, True]
    assert {one.verdict for one in findings.values()} == {Verdict.PASS}


@pytest.mark.spec("SC-106", "SC-110", "SC-111")
def test_what_the_judge_said_is_kept_beside_its_grade() -> None:
    one = deadline(grade=4, quotes=["Friday at noon", "Monday"], rule="A date.", reason="It says Friday.")
    assert (one.grade, one.rule, one.reason) == (4, "A date.", "It says Friday.")
    assert one.quotes == (Quote("Friday at noon", verified=True), Quote("Monday", verified=False))
    assert not one.is_unverified


@pytest.mark.spec("SC-108", "SC-D40")
@pytest.mark.parametrize(
    ("grade", "quotes", "unverified"),
    [(5, [], True), (5, ["Monday"], True), (5, ["Friday"], False), (4, [], False), (1, [], False), (4, ["x"], False)],
)
def test_a_top_grade_without_a_quote_from_the_answer_is_marked(grade: int, quotes: list[str], unverified: bool) -> None:
    assert deadline(grade=grade, quotes=quotes).is_unverified is unverified


@pytest.mark.spec("SC-D44")
def test_quotes_are_verified_against_the_text_that_was_sent() -> None:
    answer = "a " * (LIMITS.answer_characters // 2) + "beyond the end"
    one = deadline(answer, quotes=["beyond the end", CUT_MARK])
    assert [quote.verified for quote in one.quotes] == [False, True]


@pytest.mark.spec("SC-149", "SC-D41")
def test_credentials_are_hidden_once_the_quotes_are_verified() -> None:
    answer = f"Your key is {KEY}, keep it."
    one = deadline(answer, grade=4, quotes=["Your key is", f"key is {KEY}"], rule=f"No {KEY}", reason=f"It says {KEY}.")
    assert "a1B2" not in json.dumps(one.as_json())
    assert one.quotes[0].verified
    assert one.quotes[1].text.startswith("key is [")


@pytest.mark.spec("SC-149", "SC-D41")
def test_a_credential_across_the_cut_is_hidden_whole() -> None:
    one = deadline(quotes=["Friday"], rule=f"{'r ' * 145}{KEY}", reason=f"{'w ' * 990}{KEY}")
    assert "sk-proj" not in one.rule + one.reason
    assert (len(one.rule), len(one.reason)) == (300, 2_000)


@pytest.mark.spec("SC-D41")
def test_a_quote_of_the_marker_that_the_judge_read_is_verified() -> None:
    answer = f"Your key is {KEY}, keep it."
    shown = deadline(answer, quotes=[f"key is {KEY}"]).quotes[0].text
    assert deadline(answer, quotes=[shown]).quotes == (Quote(shown, verified=True),)


# --- Cleaning


@pytest.mark.spec("SC-112", "SC-D41")
def test_rules_and_reasons_are_cut() -> None:
    one = deadline(quotes=["Friday"], rule="r" * 301, reason="w" * 2_001)
    assert (one.rule, one.reason) == ("r" * 300, "w" * 2_000)


@pytest.mark.spec("SC-109", "SC-112", "SC-D41")
def test_quotes_that_say_nothing_are_too_long_or_there_already_are_dropped_before_twelve_are_kept() -> None:
    numbers = [f"number {number}" for number in range(14)]
    quotes = ["", "…", "“ ”", "x" * 1_001, numbers[0], f" {numbers[0]}\n", numbers[0], "y" * 1_000, *numbers[1:]]
    kept = [quote.text for quote in deadline(quotes=quotes).quotes]
    assert kept == [numbers[0], "y" * 1_000, *numbers[1:11]]
    assert len(kept) == 12


@pytest.mark.spec("SC-112")
def test_an_empty_or_too_long_quote_does_not_void_a_grade() -> None:
    one = deadline(grade=4, quotes=["", "x" * 1_001])
    assert (one.verdict, one.grade, one.quotes) == (Verdict.PASS, 4, ())


# --- Rules 2 to 4


@pytest.mark.spec("SC-114", "SC-D40")
@pytest.mark.parametrize("grades", [(5, 5), (5, 1), (1, 5, 5), (9, 5)])
def test_a_criterion_graded_more_than_once_is_an_error_without_a_grade(grades: tuple[int, ...]) -> None:
    one = found(*[verdict(grade=grade, quotes=["Friday"]) for grade in grades], answer=ANSWER)["c-7f2a"]
    assert_fault(one, GradeFault.GRADED_TWICE)
    assert (one.grade, one.quotes, one.reason, one.rule) == (None, (), "", "")


@pytest.mark.spec("SC-D40", "BC-26")
def test_two_spellings_of_an_id_are_one() -> None:
    one = found(verdict("C-7F2A "), verdict(), answer=ANSWER)["c-7f2a"]
    assert_fault(one, GradeFault.GRADED_TWICE)
    assert found(verdict(" C-7F2A", quotes=["Friday"]), answer=ANSWER)["c-7f2a"].verdict is Verdict.PASS


@pytest.mark.spec("SC-113", "SC-114")
def test_an_unreadable_entry_beside_a_readable_one_does_not_count() -> None:
    one = found(verdict(grade=None), verdict(grade=4, quotes=["Friday"]), answer=ANSWER)["c-7f2a"]
    assert (one.verdict, one.grade) == (Verdict.PASS, 4)


@pytest.mark.spec("SC-D40", "BC-20")
@pytest.mark.parametrize("entries", [[verdict("other")], [verdict("other"), verdict(grade=4.5)], [verdict("c-7f2")]])
def test_a_criterion_without_a_readable_entry_is_an_error(entries: list[Any]) -> None:
    one = found(*entries, answer=ANSWER)["c-7f2a"]
    assert_fault(one, GradeFault.NOT_GRADED)
    assert one.grade is None


@pytest.mark.spec("SC-D40")
def test_entries_for_unknown_criteria_change_nothing() -> None:
    assert list(found(verdict(), verdict("other"), answer=ANSWER)) == ["c-7f2a"]


@pytest.mark.spec("SC-D40", "BC-26")
@pytest.mark.parametrize("grade", [0, -1, 6, 11, 1e308, "11"])
def test_a_grade_outside_the_scale_is_an_error_and_not_kept(grade: Any) -> None:
    one = deadline(grade=grade, quotes=["Friday"], reason="It says Friday.")
    assert_fault(one, GradeFault.OUTSIDE_SCALE)
    assert one.grade is None
    assert one.reason == "It says Friday."


# --- Rule 6: reasons that repeat the criterion


@pytest.mark.spec("SC-107", "SC-D40")
@pytest.mark.parametrize("grade", [1, 4, 5])
@pytest.mark.parametrize("quotes", [[], ["Monday"]])
@pytest.mark.parametrize("reason", [RESTATED, "", "Yes, it passes."])
def test_a_restated_reason_without_a_verified_quote_is_an_error(grade: int, quotes: list[str], reason: str) -> None:
    one = deadline(grade=grade, quotes=quotes, reason=reason)
    assert_fault(one, GradeFault.REPEATS_CRITERION)
    assert (one.grade, one.reason) == (grade, reason)


@pytest.mark.spec("SC-107", "SC-D40")
@pytest.mark.parametrize("grade", [1, 5])
def test_with_a_verified_quote_a_restated_reason_stands(grade: int) -> None:
    assert deadline(grade=grade, quotes=["Friday"], reason=RESTATED).verdict.is_reached


@pytest.mark.spec("SC-D41", "SC-D46")
def test_what_is_cut_off_a_reason_does_not_speak_for_it() -> None:
    reason = f"{RESTATED}{' ' * LIMITS.judge_reason_characters}It talks of kettles and receipts."
    assert_fault(deadline(grade=4, reason=reason), GradeFault.REPEATS_CRITERION)


@pytest.mark.spec("SC-D46")
def test_for_the_reference_answer_the_words_of_the_fixed_text_count_and_not_its_own() -> None:
    case = make_case(reference_answer="Kettles cannot return after thirty days.")
    settings = make_settings(on=("reference_answer",))
    own = verdict("reference-answer", 1, reason="Kettles cannot return after thirty days.")
    fixed = verdict("reference-answer", 1, reason="Other wording, further correct detail on every point.")
    one, other = (
        found(entry, answer=ANSWER, case=case, settings=settings)["reference-answer"] for entry in (own, fixed)
    )
    assert one.verdict is Verdict.FAIL
    assert_fault(other, GradeFault.REPEATS_CRITERION)


# --- The counter-example


@pytest.mark.spec("SC-122", "SC-D40")
@pytest.mark.parametrize("answer", [KETTLE, "Yes.", "yes you can return a used kettle"])
@pytest.mark.parametrize("grade", [1, 4, 5])
def test_an_answer_that_is_the_counter_example_fails_whatever_the_judge_said(answer: str, grade: int) -> None:
    one = kettle(answer, grade, quotes=[answer])
    assert (one.verdict, one.why, one.cause) == (Verdict.FAIL, REPEATS_COUNTER_EXAMPLE, "")
    assert (one.grade, one.quotes, one.is_unverified) == (grade, (Quote(answer, verified=True),), False)
    assert one.reason == "It says Friday at noon and promises a reminder."


@pytest.mark.spec("SC-122", "SC-D40")
@pytest.mark.parametrize("entries", [[], [verdict("counter-example", 5)] * 2, [verdict("counter-example", 9)]])
def test_it_fails_too_where_the_judge_gave_no_grade_of_use(entries: list[Any]) -> None:
    one = found(verdict(), *entries, answer="Yes.", case=BAD_KETTLE)["counter-example"]
    assert (one.verdict, one.why, one.grade) == (Verdict.FAIL, REPEATS_COUNTER_EXAMPLE, None)


@pytest.mark.spec("SC-122")
def test_the_other_criteria_are_graded_as_ever_then() -> None:
    assert found(verdict(quotes=["Yes"]), answer="Yes.", case=BAD_KETTLE)["c-7f2a"].verdict is Verdict.PASS


@pytest.mark.spec("SC-118", "SC-D48")
def test_a_pass_that_quotes_only_what_both_say_is_an_error() -> None:
    one = kettle(LONGER, quotes=["you can return a used kettle", "not there"])
    assert_fault(one, GradeFault.QUOTES_WHAT_BOTH_SAY)
    assert one.grade == 5


@pytest.mark.spec("SC-119", "SC-D48")
@pytest.mark.parametrize("quotes", [[], ["not there"]])
def test_a_pass_that_quotes_nothing_of_a_copy_is_an_error(quotes: list[str]) -> None:
    assert_fault(kettle(LONGER, quotes=quotes), GradeFault.QUOTES_NOTHING)


@pytest.mark.spec("SC-121", "SC-D48")
@pytest.mark.parametrize("grade", [4, 5])
def test_a_pass_on_a_quote_from_the_addition_stands(grade: int) -> None:
    one = kettle(LONGER, grade, quotes=["but only within 30 days"])
    assert (one.verdict, one.is_unverified, one.why) == (Verdict.PASS, False, None)


@pytest.mark.spec("SC-120", "SC-D40")
@pytest.mark.parametrize("grade", [4, 5])
@pytest.mark.parametrize("reason", ["It says they stay.", "", "It avoids repeating the known bad answer."])
def test_any_other_pass_without_a_quote_is_kept_and_marked(grade: int, reason: str) -> None:
    one = kettle(NO, grade, reason=reason)
    assert (one.verdict, one.is_unverified) == (Verdict.PASS, True)


@pytest.mark.spec("SC-D40")
def test_a_failing_grade_on_it_needs_a_reason_like_any_other() -> None:
    assert_fault(kettle(NO, 1, reason="It repeats the known bad answer."), GradeFault.REPEATS_CRITERION)
    assert kettle(LONGER, 1, quotes=["you can return"]).verdict is Verdict.FAIL
    assert kettle(LONGER, 3).verdict is Verdict.FAIL


@pytest.mark.spec("SC-D40")
def test_what_both_say_does_not_matter_for_other_criteria() -> None:
    one = found(verdict(quotes=["you can return a used kettle"]), answer=LONGER, case=BAD_KETTLE)["c-7f2a"]
    assert one.verdict is Verdict.PASS


@pytest.mark.spec("SC-D15", "SC-D47")
def test_an_answer_without_words_is_no_part_of_it() -> None:
    assert kettle("…", 5).verdict is Verdict.PASS


# --- Without the judge


@pytest.mark.spec("SC-129", "SC-130", "SC-D42")
@pytest.mark.parametrize("cause", Cause)
def test_without_a_judge_each_criterion_names_the_cause(cause: Cause) -> None:
    findings = findings_without_verdict(
        asked(BAD_KETTLE), cause, cause.verdict, cause.reason, BAD_KETTLE, GradedAnswer(LONGER)
    )
    assert [one.id for one in findings] == ["c-7f2a", "counter-example"]
    for one in findings:
        assert (one.verdict, one.cause, one.why, one.grade) == (cause.verdict, cause.value, cause.reason, None)
    assert json.loads(json.dumps(findings[0].as_json()))["cause"] == cause.value


@pytest.mark.spec("SC-122", "SC-D40")
def test_an_answer_that_is_the_counter_example_fails_without_a_judge_too() -> None:
    why = Reason("Else")
    rubric, bad = findings_without_verdict(
        asked(BAD_KETTLE), Cause.BUDGET, Verdict.SKIPPED, why, BAD_KETTLE, GradedAnswer("Yes.")
    )
    assert (rubric.verdict, rubric.why, rubric.cause) == (Verdict.SKIPPED, why, "judge_budget")
    assert (bad.verdict, bad.why, bad.cause) == (Verdict.FAIL, REPEATS_COUNTER_EXAMPLE, "")


@pytest.mark.spec("SC-129", "SC-D39", "BC-20")
@pytest.mark.parametrize(
    ("text", "finish", "why"), [("{}", "stop", Cause.UNREADABLE.reason), ("{}", "length", CUT_OFF)]
)
def test_a_reply_that_cannot_be_read_is_an_error_on_each_criterion(text: str, finish: str, why: Reason) -> None:
    criteria, settings = asked(BAD_KETTLE), make_settings()
    for one in findings_of(read_reply(text, finish), criteria, BAD_KETTLE, LONGER, settings):
        assert (one.verdict, one.why, one.cause) == (Verdict.ERROR, why, "judge_unreadable")
    bad = findings_of(read_reply(text, finish), criteria, BAD_KETTLE, "Yes.", settings)[1]
    assert (bad.verdict, bad.why) == (Verdict.FAIL, REPEATS_COUNTER_EXAMPLE)


@pytest.mark.spec("SC-D15")
def test_an_empty_answer_fails_everything_but_the_counter_example() -> None:
    rubric, bad = findings_of_empty_answer(asked(BAD_KETTLE))
    assert (rubric.verdict, rubric.why, rubric.is_unverified) == (Verdict.FAIL, EMPTY_ANSWER, False)
    assert (bad.verdict, bad.why, bad.is_unverified) == (Verdict.PASS, EMPTY_ANSWER, True)
    assert (rubric.cause, bad.cause) == ("", "")


@pytest.mark.spec("SC-D39", "BC-10")
@pytest.mark.parametrize(
    "text",
    [
        '{"cost":NaN}',
        '{"cost":1e999}',
        '{"n":' + "1" * 5_000 + "}",
        "[" * 5_000 + "]" * 5_000,
        '{"a":1,"a":2}',
    ],
)
def test_numbers_and_nesting_that_break_parsers_make_one_error(text: str) -> None:
    (one,) = findings_of(read_reply(text, "stop"), asked(), make_case(), ANSWER, make_settings())
    assert (one.verdict, one.cause) == (Verdict.ERROR, "judge_unreadable")


# --- Whatever the reply says

GRADES = st.sampled_from([1, 2, 4, 5, 6, 0, -1, 4.0, 4.5, "5", "4 ", "pass", True, None, [5], 1e308])
IDS = st.sampled_from(["c-7f2a", "counter-example", "reference-answer", "check-1", "C-7F2A", "other", "", None, 5])
QUOTES = st.lists(st.sampled_from(["Yes", "you can", "30 days", "nowhere", "", 5]), max_size=3)
REASONS = st.sampled_from(["", RESTATED, "It talks of kettles and receipts.", None])
ENTRIES = st.builds(verdict, IDS, GRADES, quotes=QUOTES, reason=REASONS) | st.sampled_from([{}, 5, "pass", None])
ANSWERS = st.sampled_from([LONGER, KETTLE, "Yes.", "", "…", NO])
CASES = st.sampled_from(
    [
        make_case(),
        BAD_KETTLE,
        make_case(
            reference_answer="No.", counter_example=KETTLE, checks=({"type": "judge", "criterion": "Is it short?"},)
        ),
    ]
)


@pytest.mark.spec("BC-20", "SC-113", "SC-114")
@settings(deadline=None)
@given(st.lists(ENTRIES, max_size=6), ANSWERS, CASES)
def test_a_criterion_never_passes_for_want_of_a_verdict(entries: list[Any], answer: str, case: CaseDraft) -> None:
    """A pass has one readable grade of its own, at the mark or above and on the scale."""
    settings = make_settings(on=("checks", "judge", "reference_answer"))
    findings = found(*entries, answer=answer, case=case, settings=settings)
    assert list(findings) == [one.id for one in asked_criteria(case, settings)]
    for one in findings.values():
        grades = [
            entry["grade"] for entry in entries if isinstance(entry, dict) and own(entry.get("criterion")) == one.id
        ]
        if one.verdict is Verdict.PASS:
            readable = [grade for grade in grades if grade not in (4.5, "pass", None, [5]) and grade is not True]
            assert len(readable) == 1
            assert 4 <= int(readable[0]) <= 5
            assert one.grade == int(readable[0])
        assert one.verdict.is_reached or one.cause
        assert Finding.of_json(json.loads(json.dumps(one.as_json()))) == one


def own(identifier: Any) -> Any:
    return identifier.casefold() if isinstance(identifier, str) else identifier
