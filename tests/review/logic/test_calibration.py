"""When what a judge says counts as calibrated (RV-D34)."""

import pytest

from review.logic.agreement import Agreement
from review.logic.calibration import ENOUGH, KAPPA_AT_LEAST, calibration


@pytest.mark.spec("RV-D34")
@pytest.mark.parametrize(
    ("outcome", "is_calibrated", "words"),
    [
        (Agreement(), False, "No decision about an answer that it graded yet"),
        (Agreement(15, 14), False, "Decisions about answers that it graded: 29 of the 30 that it takes"),
        (Agreement(15, 15), True, "30 of 30 decisions agree; Cohen's kappa 1.00 (0.77 to 1.00)"),
        (Agreement(40), False, "All of the 40 verdicts and decisions are the same, so nothing shows whether it tells "
         "good answers from bad ones"),
        (Agreement(95, 0, 0, 5), False, "95 of 100 decisions agree; Cohen's kappa 0.00 (-1.00 to 0.57) may be below "
         "0.40"),
        (Agreement(50, 40, 5, 5), True, "90 of 100 decisions agree; Cohen's kappa 0.80 (0.65 to 0.92)"),
    ],
)  # fmt: skip
def test_it_takes_enough_decisions_and_agreement_beyond_chance(
    outcome: Agreement, is_calibrated: bool, words: str
) -> None:
    found, why = calibration(outcome)
    assert (found, why.in_english) == (is_calibrated, words)


@pytest.mark.spec("RV-D34")
def test_the_lower_end_of_the_interval_decides_and_not_kappa_itself() -> None:
    likely = Agreement(14, 11, 3, 2)
    assert likely.n == ENOUGH
    assert likely.kappa is not None
    assert likely.kappa > KAPPA_AT_LEAST
    assert calibration(likely)[0] is False
