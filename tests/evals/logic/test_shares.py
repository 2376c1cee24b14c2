"""How places are shared, and which errors end a run (EV-D20, EV-D21)."""

import pytest

from evals.logic.attempt_ends import error_key, same_error_in_a_row, same_error_of_first
from evals.logic.shares import fair_shares


@pytest.mark.spec("EV-D21")
@pytest.mark.parametrize(
    ("places", "wanted", "first", "shares"),
    [
        (8, [4, 4, 4], 0, [3, 3, 2]),
        (8, [4, 4, 4], 1, [2, 3, 3]),
        (8, [1, 9, 9], 0, [1, 4, 3]),
        (8, [4], 5, [4]),
        (2, [4, 4, 4], 2, [1, 0, 1]),
        (0, [4], 0, [0]),
        (-1, [4], 0, [0]),
        (8, [0, 0], 0, [0, 0]),
        (8, [], 0, []),
    ],
)
def test_places_are_shared_fairly(places: int, wanted: list[int], first: int, shares: list[int]) -> None:
    assert fair_shares(places, wanted, first=first) == shares


@pytest.mark.spec("EV-D20")
def test_equal_errors_are_known_whatever_request_they_name() -> None:
    assert error_key("wrong_key", "No (request 12ab)") == error_key("wrong_key", "No (request 99)")
    assert error_key("wrong_key", "No") != error_key("refused", "No")
    assert error_key("refused", "too long") != error_key("refused", "unsafe")


@pytest.mark.spec("EV-D20")
def test_ten_first_or_twenty_in_a_row_that_are_alike_end_a_run() -> None:
    assert same_error_of_first(["a"] * 10)
    assert not same_error_of_first(["a"] * 9)
    assert not same_error_of_first(["a"] * 9 + ["b"])
    assert not same_error_of_first([""] * 10)
    assert same_error_in_a_row(["a"] * 20 + ["b"])
    assert not same_error_in_a_row(["a"] * 19 + ["b"])
    assert not same_error_in_a_row([""] * 20)
