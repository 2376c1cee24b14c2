"""regex (SC-63, SC-64, SC-76, SC-79, SC-80, SC-D28, BC-31)."""

import time

import pytest

from scoring.logic import checking_child
from scoring.logic.answers import GradedAnswer
from scoring.logic.checks import CheckRunner, grade_checks, grade_checks_of_many
from tests.scoring.logic.graded import Json, as_checks, said, verdicts


def pattern(value: str, **more: object) -> Json:
    return {"type": "regex", "value": value, **more}


def grade(runner: CheckRunner, text: str, *checks: Json) -> list[str]:
    return verdicts(grade_checks(runner, GradedAnswer(text), as_checks(*checks)))


@pytest.mark.spec("SC-63", "SC-76", "SC-D28")
@pytest.mark.parametrize(
    ("check", "text", "expected"),
    [
        (pattern(r"\d+ days"), "within 30 DAYS.", "pass"),
        (pattern(r"\d+ days", case_sensitive=True), "within 30 DAYS.", "fail"),
        (pattern(r"(?i)\d+ days", case_sensitive=True), "within 30 DAYS.", "pass"),
        (pattern(r"^within"), "is it\nwithin", "fail"),
        (pattern(r"(?m)^within"), "is it\nwithin", "pass"),
        (pattern("a.b"), "a\nb", "fail"),
        (pattern(r"\p{Lu}\p{Ll}+", case_sensitive=True), "on Łąka", "pass"),
        (pattern("caf\u00e9"), "a cafe\u0301", "pass"),
        (pattern("cafe\u0301"), "a CAF\u00c9", "pass"),
        (pattern("x?"), "", "pass"),
        (pattern(r"\Aa\Z", path="v"), '{"v": "a"}', "pass"),
        (pattern(r"\Aa\Z", path="v"), '{"v": "ab"}', "fail"),
        (pattern(r"^1\.50$", path="v"), '{"v": 1.50}', "pass"),
    ],
)
def test_a_pattern_matches_anywhere(runner: CheckRunner, check: Json, text: str, expected: str) -> None:
    assert grade(runner, text, check) == [expected]


@pytest.mark.spec("SC-79", "SC-D28", "BC-31")
@pytest.mark.parametrize(
    ("value", "text", "allowed"),
    [
        ("^(a|aa)+$", "a" * 60 + "b", {"error"}),
        ("(.*a){20}$", "a" * 60 + "!", {"fail", "error"}),
        ("^(a+)+$", "a" * 40 + "b", {"fail", "error"}),
        ("(?:x+x+)+y", "x" * 40, {"fail", "error"}),
        (r"\s+$", " " * 99_999 + ".", {"fail", "error"}),
    ],
)
def test_a_pattern_that_never_ends_is_stopped(runner: CheckRunner, value: str, text: str, allowed: set[str]) -> None:
    grade(runner, "warm", pattern("warm"))
    began = time.process_time()
    finding = grade_checks(runner, GradedAnswer(text), as_checks(pattern(value)))[0]
    assert finding.verdict in allowed
    assert time.process_time() - began < 0.2
    if finding.verdict == "error":
        assert said(finding) == "The pattern took longer than 0.1 second on this answer"


@pytest.mark.spec("SC-D28", "SC-80")
def test_a_pattern_that_cannot_be_compiled_in_bounds_is_an_error_and_others_are_graded(runner: CheckRunner) -> None:
    huge = pattern("(((a{100}){100}){100}){100}")
    findings = grade_checks(runner, GradedAnswer("a"), as_checks(pattern("a"), huge, pattern("b"), huge))
    assert verdicts(findings) == ["pass", "error", "fail", "error"]
    assert said(findings[1]) == "The pattern takes too much time or memory"
    began = time.monotonic()
    assert grade(runner, "b", huge, pattern("b")) == ["error", "pass"]
    assert time.monotonic() - began < 0.8


@pytest.mark.spec("SC-77", "SC-D28")
@pytest.mark.parametrize("value", ["(", "[", r"(?P<a", "a{2,1}", r"\p{Nope}", "(?<=a+)(?P=b)"])
def test_a_stored_pattern_that_is_none_is_an_error(runner: CheckRunner, value: str) -> None:
    finding = grade_checks(runner, GradedAnswer("a"), as_checks(pattern(value)))[0]
    assert finding.verdict == "error"
    assert said(finding).startswith("The pattern is not valid: ")


@pytest.mark.spec("SC-78")
def test_a_pattern_reads_the_first_hundred_thousand_characters(runner: CheckRunner) -> None:
    findings = grade_checks(
        runner, GradedAnswer("x" * 99_999 + "yz"), as_checks(pattern("y$"), pattern("z"), pattern("no", path="a"))
    )
    assert verdicts(findings) == ["pass", "fail", "error"]
    assert said(findings[1]) == "The pattern does not match the first 100,000 characters of the answer"


@pytest.mark.spec("SC-10", "SC-74")
def test_the_reasons_of_patterns(runner: CheckRunner) -> None:
    checks = as_checks(pattern("a"), pattern("b"), pattern("a", path="v"), pattern("b", path="v"))
    assert [said(finding) for finding in grade_checks(runner, GradedAnswer('{"v": "a"}'), checks)] == [
        "The pattern matches the answer",
        "The pattern does not match the answer",
        "The pattern matches the value at v",
        "The pattern does not match the value at v",
    ]


@pytest.mark.spec("SC-80")
def test_a_pattern_that_is_slow_on_answer_after_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking_child, "MOST_SECONDS_LOST", 0.25)
    check = as_checks(pattern("^(a|aa)+$"), pattern("b"))
    with CheckRunner() as own:
        found = grade_checks_of_many(own, [(GradedAnswer("a" * 60 + "b"), check)] * 10)
    words = [said(findings[0]) for findings in found]
    assert words[0] == words[1] == "The pattern took longer than 0.1 second on this answer"
    assert words[-1] == "The pattern took too long on many answers before and was not tried on this one"
    assert {findings[0].verdict.value for findings in found} == {"error"}
    assert {findings[1].verdict.value for findings in found} == {"pass"}


def test_half_of_a_surrogate_pair_in_an_answer_is_a_character_like_any_other(runner: CheckRunner) -> None:
    assert grade(runner, "a\ud800b", pattern("a.b"), {"type": "contains", "value": "B"}) == ["pass", "pass"]


def test_many_more_patterns_than_are_kept_are_all_right(runner: CheckRunner) -> None:
    items = [(GradedAnswer(f"<{number}>"), as_checks(pattern(f"^<{number}>$"))) for number in range(1_200)]
    assert {findings[0].verdict.value for findings in grade_checks_of_many(runner, items)} == {"pass"}
