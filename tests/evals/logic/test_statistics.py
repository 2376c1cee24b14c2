"""McNemar's exact test, by worked values and beside SciPy's."""

import random
from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from evals.logic.statistics import (
    COULD_BE_CHANCE,
    FOR_THE_BETTER,
    FOR_THE_WORSE,
    NO_CHANGE,
    NOTHING_COMPARED,
    is_likely_real,
    mcnemar,
    verdict_on,
)

SMALL = st.integers(0, 60)


@pytest.mark.spec("EV-D45")
@pytest.mark.parametrize(
    ("b", "c", "p"),
    [(1, 8, 0.0391), (0, 5, 0.0625), (0, 6, 0.0313), (5, 5, 1), (3, 12, 0.0352), (0, 0, 1), (1, 0, 1), (3, 4, 1)],
)
def test_p_is_that_of_the_exact_test(b: int, c: int, p: float) -> None:
    assert mcnemar(b, c) == pytest.approx(p, abs=0.000051)


@pytest.mark.spec("EV-D45")
def test_p_is_that_of_scipy_for_a_thousand_tables() -> None:
    chance = random.Random(45)  # noqa: S311 - no secret
    for _turn in range(1_000):
        b, c = chance.randint(0, 400), chance.randint(0, 400)
        expected = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
        assert mcnemar(b, c) == pytest.approx(expected, rel=1e-9, abs=1e-300)


@given(SMALL, SMALL)
def test_p_is_the_sum_of_the_specification(b: int, c: int) -> None:
    exact = Fraction(2 * sum(comb(b + c, i) for i in range(min(b, c) + 1)), 2 ** (b + c))
    assert mcnemar(b, c) == float(min(Fraction(1), exact))


@given(SMALL, SMALL)
def test_both_directions_weigh_the_same(b: int, c: int) -> None:
    assert mcnemar(b, c) == mcnemar(c, b)
    assert 0 < mcnemar(b, c) <= 1


def test_ten_thousand_changed_cases_are_no_trouble() -> None:
    assert mcnemar(5_000, 5_000) == 1
    assert 0 < mcnemar(4_800, 5_200) < 0.001
    assert mcnemar(0, 10_000) == 0


@pytest.mark.spec("EV-D45")
@pytest.mark.parametrize(
    ("b", "c", "words"), [(0, 6, FOR_THE_BETTER), (6, 0, FOR_THE_WORSE), (0, 5, COULD_BE_CHANCE), (0, 0, NO_CHANGE)]
)
def test_below_a_twentieth_a_change_is_likely_real_for_the_better_or_the_worse(b: int, c: int, words: str) -> None:
    assert verdict_on(b, c, compared=10) == words
    assert is_likely_real(b, c) is words.startswith("Likely a real change")


def test_where_nothing_was_compared_nothing_is_said_of_a_change() -> None:
    assert verdict_on(0, 0, compared=0) == NOTHING_COMPARED
