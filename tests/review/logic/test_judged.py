"""What a judge said about an answer, and whether that decided its outcome."""

import pytest
from django.utils import timezone

from core.ids import new_id
from review.logic.agreement import Agreement, Kind
from review.logic.judge_agreement import DecidedAnswer, disagreements, judge_agreement
from review.logic.judged import Deciding, PartKey, judged_answer
from tests.review.judged import Stored, finding, result, rule

CRITERION, OF_CASE, REFERENCE, COUNTER = PartKey(0, "c-1"), PartKey(1), PartKey(2), PartKey(3)


def of_case(verdict: str, number: int = 1) -> Stored:
    return finding(verdict, f"check-{number}", "case_criterion", "Does it name the shop?")


def counter_example(verdict: str) -> Stored:
    return finding(verdict, "counter-example", "counter_example", "Counter-example")


def answer(outcome: str, decided: str, *results: Stored) -> DecidedAnswer:
    return DecidedAnswer(new_id(), outcome, decided, judged_answer(results), timezone.now())


@pytest.mark.spec("RV-D34")
@pytest.mark.parametrize(
    ("results", "deciding"),
    [
        ([result(finding("pass"))], Deciding.JUDGE),
        ([rule("pass"), result(finding("fail"))], Deciding.JUDGE),
        ([rule("fail"), result(finding("pass"))], Deciding.RULES),
        ([rule("fail", must_pass=False), result(finding("pass"))], Deciding.JUDGE),
        ([rule("pass"), result(finding("fail"), must_pass=False)], Deciding.NOBODY_ASKED),
        ([rule("pass"), result(finding("fail", required=False))], Deciding.NOBODY_ASKED),
        ([result(finding("pass"), counter_example("pass"), must_pass=False)], Deciding.JUDGE),
        ([], Deciding.NOBODY_ASKED),
    ],
)
def test_a_failed_rule_decides_before_the_judge_and_an_optional_criterion_never(
    results: list[Stored], deciding: Deciding
) -> None:
    assert judged_answer(results).deciding is deciding


@pytest.mark.parametrize(
    ("verdicts", "together"),
    [
        (["pass", "pass"], "pass"),
        (["pass", "fail"], "fail"),
        (["fail", "error"], "fail"),
        (["error", "fail"], "fail"),
        (["pass", "skipped"], ""),
        (["error", "pass"], ""),
    ],
)
def test_criteria_of_one_case_are_one_part(verdicts: list[str], together: str) -> None:
    found = [of_case(verdict, number) for number, verdict in enumerate(verdicts, start=1)]
    assert judged_answer([result(*found, evaluator="checks")]).verdicts == {OF_CASE: together}


def test_words_of_a_case_are_no_name_of_a_part() -> None:
    found = judged_answer([result(finding("pass", required=False)), result(of_case("pass"), evaluator="checks")])
    assert found.names == {CRITERION: "Deadline"}
    assert found.optional == {CRITERION}


def test_addresses_name_parts_and_what_names_none_is_nothing() -> None:
    for key in (CRITERION, OF_CASE, REFERENCE, COUNTER):
        assert PartKey.of_text(key.text) == key
    assert PartKey.of_text("case_check:x") is None
    assert PartKey.of_text("") is None


@pytest.mark.spec("RV-D34")
def test_what_was_not_the_judges_doing_is_counted_apart() -> None:
    found = judge_agreement(
        [
            answer("pass", "pass", result(finding("pass"))),
            answer("fail", "pass", result(finding("fail"))),
            answer("pass", "fail", result(finding("pass"))),
            answer("fail", "fail", rule("fail"), result(finding("pass"))),
            answer("unscored", "pass", result(finding("error"))),
            answer("pass", "fail", rule("pass"), result(finding("fail"), must_pass=False)),
        ]
    )
    assert found.outcome == Agreement(both_pass=1, too_strict=1, too_lenient=1)
    assert (found.by_rules, found.unscored, found.unasked) == (1, 1, 1)
    assert [(part.key, part.agreement) for part in found.parts] == [(CRITERION, Agreement(1, 1, 1, 1))]


@pytest.mark.spec("RV-D34")
def test_each_criterion_is_compared_with_the_decision() -> None:
    found = judge_agreement(
        [
            answer("fail", "fail", result(finding("fail"), finding("pass", "c-2", name="Tone"))),
            answer("fail", "pass", result(finding("pass", name=""), finding("fail", "c-2", name="Tone"))),
        ]
    )
    deadline, tone = found.parts
    assert (deadline.name, deadline.agreement) == ("Deadline", Agreement(both_pass=1, both_fail=1))
    assert (tone.name, tone.agreement) == ("Tone", Agreement(too_strict=1, too_lenient=1))


@pytest.mark.spec("RV-D34")
def test_disagreements_are_found_by_part_and_kind() -> None:
    strict = answer("fail", "pass", result(finding("fail"), finding("pass", "c-2")))
    lenient = answer("pass", "fail", result(finding("pass"), finding("pass", "c-2")))
    ruled = answer("fail", "pass", rule("fail"), result(finding("fail")))
    answers = [strict, lenient, ruled, answer("pass", "pass", result(finding("pass")))]
    assert disagreements(answers, None) == [strict, lenient]
    assert disagreements(answers, None, Kind.TOO_STRICT) == [strict]
    assert disagreements(answers, PartKey(0, "c-2")) == [lenient]
    assert disagreements(answers, CRITERION, Kind.TOO_LENIENT) == [lenient]


@pytest.mark.parametrize(("outcome", "one_side", "only_failed"), [("pass", True, False), ("fail", True, True)])
def test_verdicts_of_one_side_alone_are_told(outcome: str, one_side: bool, only_failed: bool) -> None:
    found = judge_agreement([answer(outcome, "pass", result(finding(outcome)))])
    assert (found.has_one_side_only, found.only_failed) == (one_side, only_failed)
    both = judge_agreement(
        [answer("pass", "pass", result(finding("pass"))), answer("fail", "pass", result(finding("fail")))]
    )
    assert not both.has_one_side_only
