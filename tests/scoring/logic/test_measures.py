"""Length, cost and time (SC-66 to SC-71, SC-D30, BC-38)."""

import pytest

from scoring.logic.answers import GradedAnswer
from scoring.logic.checks import CheckRunner, grade_checks, grade_checks_of_many
from scoring.logic.findings import Origin
from tests.scoring.logic.graded import Json, as_checks, found, said, verdict

LIMIT = 100_000


def length(unit: str, **bounds: object) -> Json:
    return {"type": "length", "unit": unit, **bounds}


@pytest.mark.spec("SC-68", "SC-69", "SC-70", "SC-71")
@pytest.mark.parametrize(
    ("check", "text", "expected"),
    [
        (length("words", max=3), "one two three", "pass"),
        (length("words", max=2), "one two three", "fail"),
        (length("words", min=3), "one two three", "pass"),
        (length("words", min=4), "one two three", "fail"),
        (length("words", min=3, max=3), " one\n\ttwo\u00a0three ", "pass"),
        (length("words", min=1, max=1), "one-two,three", "pass"),
        (length("words", max=0), "", "pass"),
        (length("words", min=1), " \n", "fail"),
        (length("characters", max=4), "żółw", "pass"),
        (length("characters", max=3), "żółw", "fail"),
        (length("characters", min=5), "cafe\u0301", "pass"),
        (length("characters", max=1), "👍", "pass"),
        (length("characters", min=6, max=6), " word ", "pass"),
        (length("characters", min=0, max=0), "", "pass"),
        (length("characters", min=2, max=4), "a", "fail"),
        (length("characters", min=2, max=4), "ab", "pass"),
        (length("characters", min=2, max=4), "abcde", "fail"),
    ],
)
def test_both_bounds_belong_to_what_is_allowed(check: Json, text: str, expected: str) -> None:
    assert verdict(check, text) == expected


@pytest.mark.spec("SC-D30")
def test_an_answer_that_is_longer_than_what_is_read_fails_any_maximum() -> None:
    assert verdict(length("characters", max=LIMIT), "x" * LIMIT) == "pass"
    finding = found(length("characters", max=LIMIT), "x" * (LIMIT + 1))
    assert finding.verdict == "fail"
    assert said(finding) == "The answer is longer than 100,000 characters, so longer than any maximum"
    assert verdict(length("words", min=1, max=5), "x" * (LIMIT + 1)) == "fail"
    assert verdict(length("characters", min=LIMIT), "x" * (LIMIT + 1)) == "pass"
    assert verdict(length("words", min=3), "x y " + "z" * LIMIT) == "pass"
    assert verdict(length("words", min=4), "x y " + "z" * LIMIT) == "fail"


@pytest.mark.spec("SC-D30")
def test_answers_of_one_length_are_found_alike_by_one_check(runner: CheckRunner) -> None:
    asked = as_checks(length("words", max=2))
    answers = ["one two", "three four", "a b c", "five six"]
    findings = [found for (found,) in grade_checks_of_many(runner, [(GradedAnswer(text), asked) for text in answers])]
    assert [finding.verdict.value for finding in findings] == ["pass", "pass", "fail", "pass"]
    assert said(findings[0]) == "Words: 2; allowed: at most 2"
    # One finding for all of one length: a hundred thousand answers need no hundred thousand findings.
    assert findings[0] is findings[1] is findings[3]


@pytest.mark.spec("SC-74", "SC-D25")
def test_a_length_of_nothing_fails_and_says_so() -> None:
    finding = found(length("words", max=2, path="n.1"), '{"n": [1]}')
    assert (finding.verdict, said(finding)) == ("fail", "The answer has nothing at n.1")


@pytest.mark.parametrize("origin", [Origin.CASE_CHECK, Origin.DEFAULT_CHECK])
@pytest.mark.parametrize(
    "check",
    [
        length("words", max=2),
        {"type": "max_cost_usd", "value": 1},
        {"type": "max_latency_ms", "value": 1},
        {"type": "contains", "value": "a"},
        {"type": "equals", "value": "a"},
        {"type": "nothing"},
    ],
)
def test_a_finding_keeps_the_id_the_origin_and_the_check_that_it_was_asked_with(
    runner: CheckRunner, check: Json, origin: Origin
) -> None:
    (finding,) = grade_checks(runner, GradedAnswer("a"), [("check-7", origin, check)])
    assert (finding.id, finding.origin, finding.name, finding.about) == ("check-7", origin, check["type"], check)


@pytest.mark.spec("SC-68", "SC-74")
def test_a_value_at_a_path_is_measured_as_its_text() -> None:
    answer = '{"items": [ "żółw", [1, 2.50] ]}'
    assert verdict(length("characters", max=4, path="items.0"), answer) == "pass"
    assert verdict(length("characters", min=8, max=8, path="items.1"), answer) == "pass"


@pytest.mark.spec("SC-10")
@pytest.mark.parametrize(
    ("check", "words"),
    [
        (length("words", min=1), "Words: 2; asked: at least 1"),
        (length("words", max=1), "Words: 2; allowed: at most 1"),
        (length("words", min=1, max=3), "Words: 2; asked: from 1 to 3"),
        (length("characters", min=1), "Characters: 4; asked: at least 1"),
        (length("characters", max=1), "Characters: 4; allowed: at most 1"),
        (length("characters", min=1, max=3), "Characters: 4; asked: from 1 to 3"),
    ],
)
def test_the_reason_says_what_was_measured_and_what_is_asked(check: Json, words: str) -> None:
    assert said(found(check, "a bc")) == words


@pytest.mark.spec("SC-66", "SC-D30", "BC-38")
@pytest.mark.parametrize(
    ("most", "cost", "expected"),
    [
        (0.1, "0.1", "pass"),
        (0.1, "0.1000000001", "fail"),
        (0.3, "0.30", "pass"),
        (0, "0", "pass"),
        (0, "0.000001", "fail"),
        (1e-7, "0.0000001", "pass"),
        (2, "1.99", "pass"),
        (0.1, None, "error"),
        (0, None, "error"),
    ],
)
def test_a_cost_is_compared_in_exact_decimals(most: float, cost: str | None, expected: str) -> None:
    assert found({"type": "max_cost_usd", "value": most}, "", cost=cost).verdict == expected


@pytest.mark.spec("SC-67", "SC-D30", "BC-38")
@pytest.mark.parametrize(
    ("most", "seconds", "expected"),
    [
        (1100, 1.1, "pass"),
        (1099, 1.1, "fail"),
        (1, 0, "pass"),
        (12, 0.0125, "fail"),
        (13, 0.0125, "pass"),
        (1, None, "error"),
    ],
)
def test_a_time_is_compared_by_its_digits(most: int, seconds: float | None, expected: str) -> None:
    assert found({"type": "max_latency_ms", "value": most}, "", seconds=seconds).verdict == expected


@pytest.mark.spec("SC-10", "SC-D30")
def test_the_reasons_of_cost_and_time() -> None:
    cost, latency = {"type": "max_cost_usd", "value": 0.5}, {"type": "max_latency_ms", "value": 2000}
    assert said(found(cost, "", cost="0.1200")) == "The run cost $0.12; allowed: at most $0.5"
    assert said(found({**cost, "value": 100}, "", cost="10")) == "The run cost $10; allowed: at most $100"
    assert said(found({**cost, "value": 1e-7}, "", cost="1E+2")) == "The run cost $100; allowed: at most $0.0000001"
    assert said(found(cost, "")) == "The cost of the run is not known"
    assert said(found(latency, "", seconds=1.5)) == "The run took 1500 ms; allowed: at most 2000 ms"
    assert said(found(latency, "", seconds=0.0125)) == "The run took 12.5 ms; allowed: at most 2000 ms"
    assert said(found(latency, "")) == "The time of the run is not known"
