"""Which score of a case goes to review."""

from typing import Any

import pytest

from evals.logic.classes import CaseChange, CaseSide, classify
from evals.logic.results import AttemptResult
from evals.logic.review_choice import attempt_for_review

ERROR = {"outcome": "unscored", "judge_trouble": "error"}
SKIPPED = {"outcome": "unscored", "judge_trouble": "skipped"}


def attempts(*given: dict[str, Any] | str) -> list[AttemptResult]:
    return [
        AttemptResult(number, **{"state": "done", **({"outcome": one} if isinstance(one, str) else one)})
        for number, one in enumerate(given, start=1)
    ]


def regression(*confirming: str) -> CaseChange:
    return classify(CaseSide(1, "pass"), CaseSide(1, "fail"), ["fail"], confirming)


def chosen(found: AttemptResult | None) -> int | None:
    return found.number if found else None


@pytest.mark.spec("EV-D48", "EV-41")
@pytest.mark.parametrize(
    ("outcomes", "number"), [(("fail", "fail", "fail"), 3), (("fail", "fail", "pass"), 2), (("fail", "fail", ERROR), 2)]
)
def test_of_a_confirmed_regression_it_is_the_latest_failing_attempt(outcomes: tuple[Any, ...], number: int) -> None:
    seen = ["unscored" if isinstance(one, dict) else one for one in outcomes[1:]]
    assert chosen(attempt_for_review(attempts(*outcomes), regression(*seen))) == number


@pytest.mark.spec("EV-D48", "EV-D50", "EV-D47")
@pytest.mark.parametrize("confirming", [(), ("pass", "pass")])
def test_an_unconfirmed_or_flaky_case_is_not_sent(confirming: tuple[str, ...]) -> None:
    assert attempt_for_review(attempts("fail", *confirming), regression(*confirming)) is None


@pytest.mark.spec("EV-D48", "EV-42", "EV-D40")
@pytest.mark.parametrize(
    ("given", "number"),
    [
        ((ERROR,), 1),
        ((ERROR, ERROR), 2),
        ((ERROR, SKIPPED), 1),
        ((ERROR, "pass"), None),
        (("fail", ERROR), None),
        (({**ERROR, "decided": "pass"},), None),
        (({**ERROR, "has_score": False},), None),
        (({"state": "error"},), None),
    ],
)
def test_a_judge_error_is_sent_unless_another_attempt_has_a_verdict(given: tuple[Any, ...], number: int | None) -> None:
    assert chosen(attempt_for_review(attempts(*given), None)) == number


@pytest.mark.spec("EV-43")
def test_what_the_judge_skipped_is_not_sent() -> None:
    assert attempt_for_review(attempts(SKIPPED, SKIPPED), None) is None
