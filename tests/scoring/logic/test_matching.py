"""Equality of JSON values and the largest one-to-one matching (SC-D31, SC-D32)."""

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.logic.matching import largest_matching, same_value


@pytest.mark.spec("SC-D31")
@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (1, 1.0, True),
        (0, -0.0, True),
        (2**53 + 1, float(2**53), False),
        (1, True, False),
        (0, False, False),
        (True, True, True),
        (True, False, False),
        (1, "1", False),
        (None, None, True),
        (None, False, False),
        (None, 0, False),
        (None, "", False),
        (None, [], False),
        ({}, [], False),
        ("caf\u00e9", "cafe\u0301", True),
        ("a", "A", False),
        ("a", "a ", False),
        ([12, 15], [12.0, 15.0], True),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([1, [True]], [1, [1]], False),
        ([1, {"a": 1}], [2, {"a": 1}], False),
        ({"a": 1, "b": [2]}, {"b": [2.0], "a": 1}, True),
        ({"caf\u00e9": 1}, {"cafe\u0301": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ({"a": {"b": 1}}, {"a": {"b": 1, "c": 2}}, False),
        ((1, 2), [1, 2], True),
    ],
)
def test_values_are_equal_as_json(one: Any, other: Any, same: bool) -> None:
    assert same_value(one, other) is same
    assert same_value(other, one) is same


def test_any_depth_can_be_compared() -> None:
    one: Any = 1
    other: Any = 1.0
    for _level in range(20_000):
        one, other = {"a": [one]}, {"a": [other]}
    assert same_value(one, other)
    assert not same_value(one, {"a": [other]})


graphs = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(st.integers(0, width - 1), unique=True), min_size=1, max_size=5)
)


def largest_by_trying(fits: list[list[int]]) -> int:
    """By every way to give the right places out."""
    rights = [*range(5), *([-1] * len(fits))]
    return max(
        sum(right in fits[left] for left, right in enumerate(given_out))
        for given_out in set(permutations(rights, len(fits)))
    )


@pytest.mark.spec("SC-D32")
@given(graphs)
def test_the_matching_is_one_to_one_and_none_is_larger(fits: list[list[int]]) -> None:
    found = largest_matching(fits)
    assert all(right in fits[left] for left, right in found.items())
    assert len(set(found.values())) == len(found)
    assert list(found) == sorted(found)
    assert len(found) == largest_by_trying(fits[:4]) if len(fits) <= 4 else True


def test_the_first_that_fits_is_preferred() -> None:
    assert largest_matching([[2, 0], [1]]) == {0: 2, 1: 1}
    assert largest_matching([]) == {}
    assert largest_matching([[]]) == {}
    assert largest_matching([[0, 1], [0]]) == {0: 1, 1: 0}
