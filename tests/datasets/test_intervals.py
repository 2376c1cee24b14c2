"""Which revisions hold in a version: the interval tree finds exactly those, and quickly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.logic.intervals import fork, path_to_root

NUMBERS = st.integers(1, 5_000)


def found(since: int, until: int, version: int) -> bool:
    """What the query asks of one closed interval."""
    after, before = path_to_root(version)
    node = fork(since, until)
    return (node in after and since <= version) or (node in before and until > version)


@given(NUMBERS, NUMBERS, NUMBERS)
def test_an_interval_is_found_exactly_where_it_holds(a: int, b: int, version: int) -> None:
    since, until = min(a, b), max(a, b) + 1
    assert found(since, until, version) == (since <= version < until)


@given(NUMBERS, NUMBERS)
def test_the_fork_is_the_roundest_number_inside(a: int, b: int) -> None:
    since, until = min(a, b), max(a, b) + 1
    node = fork(since, until)
    assert since <= node < until
    assert all(other == node or other & -other < node & -node for other in range(since, until))


@given(st.integers(1, 2**31 - 1))
def test_a_version_needs_few_look_ups(version: int) -> None:
    after, before = path_to_root(version)
    assert len(after) + len(before) <= 32


@pytest.mark.parametrize(("since", "until"), [(0, 1), (3, 3), (4, 2)])
def test_what_is_no_interval_is_refused(since: int, until: int) -> None:
    with pytest.raises(ValueError, match="no interval"):
        fork(since, until)
