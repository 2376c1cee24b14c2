"""Counting agreement, Cohen's kappa, and how sure it is (RV-D34)."""

import random
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.logic.agreement import Agreement, Kind, agreement_of, kind_of

counts = st.integers(0, 60)
cells = st.builds(Agreement, counts, counts, counts, counts)


def kappa_of(shares: list[float]) -> float:
    """By its definition, from the shares of pass/pass, fail/fail, fail/pass and pass/fail."""
    both_pass, both_fail, strict, lenient = shares
    verdicts, decisions = both_pass + lenient, both_pass + strict
    chance = verdicts * decisions + (1 - verdicts) * (1 - decisions)
    return (both_pass + both_fail - chance) / (1 - chance)


def error_by_slopes(found: Agreement) -> float:
    """The standard error by the delta method with slopes found by trying, which no formula of kappa's enters."""
    numbers = (found.both_pass, found.both_fail, found.too_strict, found.too_lenient)
    shares = [number / found.n for number in numbers]
    step = 1e-6

    def moved(place: int, by: float) -> float:
        raised = [share + (by if at == place else 0) for at, share in enumerate(shares)]
        return kappa_of([share / sum(raised) for share in raised])

    slopes = [(moved(place, step) - moved(place, -step)) / (2 * step) for place in range(4)]
    mean = sum(share * slope for share, slope in zip(shares, slopes, strict=True))
    spread = sum(share * (slope - mean) ** 2 for share, slope in zip(shares, slopes, strict=True))
    return sqrt(spread / found.n)


@pytest.mark.spec("RV-D34")
@pytest.mark.parametrize(
    ("verdict", "decided", "kind"),
    [
        ("pass", "pass", Kind.AGREES),
        ("fail", "fail", Kind.AGREES),
        ("fail", "pass", Kind.TOO_STRICT),
        ("pass", "fail", Kind.TOO_LENIENT),
        ("unscored", "pass", None),
        ("", "fail", None),
        ("pass", "", None),
    ],
)
def test_a_decision_agrees_or_finds_the_judge_too_strict_or_too_lenient(
    verdict: str, decided: str, kind: Kind | None
) -> None:
    assert kind_of(verdict, decided) is kind


@pytest.mark.spec("RV-D34")
def test_what_grading_left_unscored_is_in_no_figure() -> None:
    found = agreement_of([("pass", "pass", 3), ("unscored", "pass", 4), ("fail", "pass", 2), ("pass", "fail", 1)])
    assert found == Agreement(both_pass=3, too_strict=2, too_lenient=1)
    assert (found.n, found.agreeing, found.disagreeing) == (6, 3, 3)


# What statsmodels 0.14 (cohens_kappa) and scikit-learn (cohen_kappa_score) say of the same tables.
@pytest.mark.spec("RV-D34")
@pytest.mark.parametrize(
    ("found", "kappa", "error"),
    [
        (Agreement(20, 15, 10, 5), 0.4, 0.12700),
        (Agreement(45, 15, 15, 25), 0.13043, 0.09866),
        (Agreement(25, 35, 35, 5), 0.25926, 0.07716),
        (Agreement(50, 40, 4, 6), 0.79806, 0.06052),
    ],
)
def test_kappa_and_its_error_are_those_of_other_programs(found: Agreement, kappa: float, error: float) -> None:
    assert found.kappa == pytest.approx(kappa, abs=5e-5)
    assert found.standard_error == pytest.approx(error, abs=5e-5)


@pytest.mark.spec("RV-D34")
@given(st.builds(Agreement, *[st.integers(1, 60)] * 4))
def test_the_error_is_what_the_slopes_of_kappa_say(found: Agreement) -> None:
    assert found.standard_error == pytest.approx(error_by_slopes(found), rel=1e-4, abs=1e-6)


@given(cells)
def test_numbers_stay_within_their_bounds(found: Agreement) -> None:
    if found.kappa is None:
        assert found.kappa_interval is None
        return
    assert found.kappa_interval is not None
    low, high = found.kappa_interval
    assert -1 <= low <= found.kappa + 1e-9
    assert found.kappa - 1e-9 <= high <= 1


@given(cells)
def test_passing_and_failing_are_alike_to_kappa(found: Agreement) -> None:
    turned = Agreement(found.both_fail, found.both_pass, found.too_lenient, found.too_strict)
    assert (found.kappa is None) is (turned.kappa is None)
    if found.kappa is not None:
        assert turned.kappa == pytest.approx(found.kappa)
        assert turned.kappa_interval == pytest.approx(found.kappa_interval)


@pytest.mark.spec("RV-D34")
def test_of_nothing_and_of_one_verdict_alone_there_is_no_kappa() -> None:
    assert Agreement().kappa is None
    assert Agreement().share is None
    assert Agreement(both_pass=40).kappa is None
    assert Agreement(both_pass=40, too_lenient=4).kappa == 0


def test_a_judge_that_passes_everything_is_no_better_than_chance() -> None:
    found = Agreement(both_pass=95, too_lenient=5)
    assert found.share == 0.95
    assert found.kappa == pytest.approx(0)


@pytest.mark.spec("RV-D34")
def test_full_agreement_of_few_is_not_certainty() -> None:
    few, many = Agreement(8, 7), Agreement(200, 200)
    assert few.kappa == many.kappa == 1
    assert few.standard_error == pytest.approx(0, abs=1e-6)
    assert few.kappa_interval is not None
    assert many.kappa_interval is not None
    assert few.kappa_interval[0] < 0.65 < 0.97 < many.kappa_interval[0]


@pytest.mark.spec("RV-D34")
@pytest.mark.parametrize(("n", "is_few"), [(0, True), (9, True), (10, False)])
def test_under_ten_decisions_are_too_few(n: int, is_few: bool) -> None:
    assert Agreement(both_pass=n).has_too_few is is_few


@pytest.mark.parametrize("n", [12, 40, 150])
def test_the_interval_holds_the_true_kappa_as_often_as_it_says(n: int) -> None:
    """A judge that errs in one of ten, over answers of which seven of ten are good."""
    shares = [0.7 * 0.9, 0.3 * 0.9, 0.7 * 0.1, 0.3 * 0.1]
    true, chance = kappa_of(shares), random.Random(n)  # noqa: S311 - no secret
    held = tried = 0
    for _round in range(1000):
        drawn = chance.choices(range(4), shares, k=n)
        interval = Agreement(*(drawn.count(cell) for cell in range(4))).kappa_interval
        if interval is not None:
            tried += 1
            held += interval[0] <= true <= interval[1]
    assert held / tried >= 0.94
