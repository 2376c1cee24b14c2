"""The interval of a share, by worked values and beside SciPy's."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from core.statistics import wilson

SHARES = st.integers(1, 10_000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


@pytest.mark.spec("EV-D36")
@pytest.mark.parametrize(
    ("passed", "n", "low", "high"),
    [(42, 50, 0.7149, 0.9166), (0, 10, 0, 0.2775), (10, 10, 0.7225, 1), (38, 50, 0.6259, 0.857)],
)
def test_interval_is_that_of_wilson(passed: int, n: int, low: float, high: float) -> None:
    assert wilson(passed, n) == pytest.approx((low, high), abs=0.00005)


@pytest.mark.spec("EV-D36")
def test_interval_is_that_of_scipy_for_a_thousand_shares() -> None:
    chance = random.Random(36)  # noqa: S311 - no secret
    for _turn in range(1_000):
        n = chance.randint(1, 10_000)
        passed = chance.randint(0, n)
        expected = binomtest(passed, n).proportion_ci(0.95, method="wilson")
        assert wilson(passed, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


@given(SHARES)
def test_interval_holds_the_rate_and_mirrors(pair: tuple[int, int]) -> None:
    passed, n = pair
    low, high = wilson(passed, n)
    assert 0 <= low <= passed / n <= high <= 1
    assert wilson(n - passed, n) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@pytest.mark.parametrize("n", [1, 7, 10_000])
def test_where_none_or_all_passed_the_end_is_exact(n: int) -> None:
    assert wilson(0, n)[0] == 0
    assert wilson(n, n)[1] == 1


@pytest.mark.parametrize("pair", [(0, 0), (3, 2), (-1, 4)])
def test_what_is_no_share_is_refused(pair: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no share"):
        wilson(*pair)
