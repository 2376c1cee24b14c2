"""The list of a run's cases: its order, filters and pages."""

from dataclasses import replace
from itertools import pairwise
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.logic.classes import CaseChange, ChangeClass, ChangeCounts
from evals.logic.item_list import UNTAGGED, ItemFilter, ListedItem, item_page, listed, telling_attempt, worst_filter
from evals.logic.results import Tally
from evals.logic.run_results import ItemResult, RunResults, StoredAttempt

REGRESSED = CaseChange(ChangeClass.REGRESSED, ChangeClass.REGRESSED)
CONFIRMED = replace(REGRESSED, is_confirmed=True)
FLAKY = CaseChange(ChangeClass.FLAKY, ChangeClass.REGRESSED)
IMPROVED = CaseChange(ChangeClass.IMPROVED, ChangeClass.IMPROVED)
SAME = CaseChange(ChangeClass.UNCHANGED, ChangeClass.UNCHANGED)


def item(position: int, outcome: str = "pass", *tags: str, confirming: tuple[str, ...] = ()) -> ItemResult:
    first = [StoredAttempt(1, "done", outcome=outcome)]
    again = [StoredAttempt(2 + n, "done", outcome=one, is_confirming=True) for n, one in enumerate(confirming)]
    return ItemResult(uuid4(), UUID(int=position), position, position, tags, (*first, *again))


def test_what_went_worse_comes_first_and_equals_stand_in_the_order_of_the_dataset() -> None:
    outcomes = ("pass", "unscored", "fail", "pass", "fail", "fail", "fail", "pass")
    items = [item(number, outcome) for number, outcome in enumerate(outcomes)]
    changes = {items[3].case_id: IMPROVED, items[4].case_id: FLAKY, items[5].case_id: REGRESSED}
    changes |= {items[6].case_id: CONFIRMED, items[2].case_id: SAME}
    found = listed(RunResults(tuple(items)), changes)
    assert [one.item.position for one in found] == [6, 5, 4, 2, 1, 3, 0, 7]


def test_it_opens_with_the_first_of_regressed_failed_and_all_that_there_is() -> None:
    assert worst_filter(Tally(1, 1), ChangeCounts(regressed=1)) == ItemFilter(change="regressed")
    assert worst_filter(Tally(1, 1), ChangeCounts(improved=1)) == ItemFilter(result="fail")
    assert worst_filter(Tally(1, 1), None) == ItemFilter(result="fail")
    assert worst_filter(Tally(1, 0, 3), None).is_empty


@pytest.mark.parametrize(
    ("wanted", "positions"),
    [
        (ItemFilter(), [0, 1, 2]),
        (ItemFilter(result="fail"), [0]),
        (ItemFilter(change="regressed"), [0]),
        (ItemFilter(change="improved"), []),
        (ItemFilter(tag="Zażółć"), [1]),
        (ItemFilter(tag="żółć"), []),
        (ItemFilter(tag=UNTAGGED), [2]),
        (ItemFilter(result="pass", tag="a"), [1]),
    ],
)
def test_filters_let_through_what_meets_all_of_them(wanted: ItemFilter, positions: list[int]) -> None:
    rows = [
        ListedItem(item(0, "fail", "A"), REGRESSED),
        ListedItem(item(1, "pass", "zażółć", "a")),
        ListedItem(item(2)),
    ]
    assert [one.item.position for one in rows if wanted.lets_through(one)] == positions


@given(st.lists(st.sampled_from(["pass", "fail", "unscored"]), max_size=23), st.integers(1, 7))
def test_pages_forth_and_back_show_every_case_once(outcomes: list[str], size: int) -> None:
    rows = listed(RunResults(tuple(item(number, outcome) for number, outcome in enumerate(outcomes))), None)
    page = item_page(rows, ItemFilter(), size=size)
    pages = [page]
    while page.after:
        page = item_page(rows, ItemFilter(), after=page.after, size=size)
        pages.append(page)
    assert [one for each in pages for one in each.rows] == rows
    assert [each.first for each in pages] == [1 + size * number for number in range(len(pages))]
    for earlier, later in pairwise(pages):
        assert item_page(rows, ItemFilter(), before=later.before, size=size).rows == earlier.rows


@pytest.mark.parametrize("cursor", ["", "x", "1.2", "1.²." + "0" * 32, "-1.2.a", "9" * 5000 + ".1.a"])
def test_what_is_no_cursor_shows_the_first_page(cursor: str) -> None:
    rows = listed(RunResults((item(0), item(1), item(2))), None)
    assert item_page(rows, ItemFilter(), after=cursor, size=2).rows == rows[:2]


@pytest.mark.spec("EV-D33")
def test_a_case_is_read_by_the_last_first_attempt_that_came_to_its_result() -> None:
    failed = item(0, "fail", confirming=("fail", "pass"))
    told = telling_attempt(failed)
    assert told is not None
    assert told.number == 1
    pending = ItemResult(uuid4(), uuid4(), 1, 1, (), (StoredAttempt(1, "pending"),))
    assert telling_attempt(pending) == pending.attempts[0]
    assert telling_attempt(replace(pending, attempts=())) is None
