"""Keyset pages: every row once, in order, both ways, whatever the order's columns; cursors that nobody can make up."""

from collections.abc import Callable
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import ApiKey
from core.errors import Invalid
from core.limits import LIMITS
from core.paging import Order, Page, Segment, keyset_page, page_size, segmented_page, sorted_by
from tests.cast import Cast

NOW = timezone.now()


@pytest.fixture
def keys(cast: Cast) -> QuerySet[ApiKey]:
    for index, (name, day) in enumerate(product("abc", (None, 1, 2, None))):
        expires = None if day is None else NOW + timedelta(days=day)
        ApiKey.objects.create(member=cast.owner, name=name, key_hash=str(index), expires_at=expires)
    return ApiKey.objects.all()


ORDERS = [
    [Order("id")],
    [Order("id", descending=True)],
    [Order("name"), Order("id")],
    [Order("name", descending=True), Order("created_at"), Order("id", descending=True)],
    [Order("expires_at", nullable=True), Order("id")],
    [Order("expires_at", descending=True, nullable=True), Order("name"), Order("id", descending=True)],
    [Order("name"), Order("expires_at", descending=True, nullable=True), Order("id")],
    [Order("member__user__email"), Order("id")],
]


def walk(
    queryset: Any, order: list[Order], size: int, step: Callable[[Page[Any]], str | None], cursor: str
) -> list[Any]:
    found = []
    while True:
        page = keyset_page(queryset, order, cursor=cursor, size=size)
        found.append(page)
        following = step(page)
        if following is None:
            return found
        cursor = following


@pytest.mark.spec("PL-42")
@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("size", [1, 2, 5, 12, 50])
def test_every_row_comes_once_in_order_and_the_way_back_is_the_same(
    keys: QuerySet[ApiKey], order: list[Order], size: int
) -> None:
    whole = keyset_page(keys, order, size=50).rows
    assert len(whole) == 12
    there = walk(keys, order, size, lambda page: page.next, "")
    assert [row for page in there for row in page.rows] == whole
    assert there[0].previous is None
    assert there[-1].next is None
    if len(there) > 1:
        back = walk(keys, order, size, lambda page: page.previous, there[-1].previous)
        assert [row for page in reversed(back) for row in page.rows] == whole[: -len(there[-1].rows)]
        assert back[0].next is not None


@pytest.mark.spec("PL-42")
def test_rows_without_a_value_come_last_in_both_directions(keys: QuerySet[ApiKey]) -> None:
    for descending in (False, True):
        rows = keyset_page(keys, [Order("expires_at", descending=descending, nullable=True), Order("id")]).rows
        assert [row.expires_at is None for row in rows] == [False] * 6 + [True] * 6


@pytest.mark.spec("PL-42")
def test_rows_that_come_and_go_move_no_other(keys: QuerySet[ApiKey], cast: Cast) -> None:
    order = [Order("name"), Order("id")]
    first = keyset_page(keys, order, size=4)
    first.rows[0].delete()
    ApiKey.objects.create(member=cast.owner, name="a", key_hash="new")
    assert [row.name for row in keyset_page(keys, order, cursor=first.next or "", size=4).rows] == ["a"] + ["b"] * 3


def test_a_page_is_one_query_and_rows_may_be_dictionaries(
    keys: QuerySet[ApiKey], django_assert_num_queries: Any
) -> None:
    order = [Order("name"), Order("id")]
    page = keyset_page(keys.values("id", "name"), order, size=3)
    with django_assert_num_queries(1):
        rows = keyset_page(keys.values("id", "name"), order, cursor=page.next or "", size=3).rows
    assert [row["name"] for row in rows] == ["a", "b", "b"]


def test_a_page_without_rows_leads_nowhere(keys: QuerySet[ApiKey]) -> None:
    page = keyset_page(keys, [Order("id")], size=6)
    ApiKey.objects.all().delete()
    assert keyset_page(keys, [Order("id")], cursor=page.next or "") == Page([], None, None)


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("cursor", ["x", "\0", "é" * 10, "W10:abc", ":", "A" * 5000, "WzAsImlkIixbXV0:x"])
def test_a_cursor_that_somebody_made_up_is_refused_by_name(keys: QuerySet[ApiKey], cursor: str) -> None:
    with pytest.raises(Invalid) as caught:
        keyset_page(keys, [Order("id")], cursor=cursor)
    assert [problem.field for problem in caught.value.problems] == ["cursor"]


@pytest.mark.spec("PL-41")
def test_a_cursor_of_another_order_or_with_one_letter_changed_is_refused(keys: QuerySet[ApiKey]) -> None:
    cursor = keyset_page(keys, [Order("id")], size=1).next or ""
    for wrong, order in ((cursor, [Order("name"), Order("id")]), ("A" + cursor[1:], [Order("id")])):
        with pytest.raises(Invalid):
            keyset_page(keys, order, cursor=wrong)


def test_a_wish_for_an_order_is_read_and_an_unknown_one_refused() -> None:
    allowed = {"name": Order("name"), "used": Order("last_used_at", nullable=True)}
    assert sorted_by("", allowed, "-used") == [Order("last_used_at", True, True), Order("pk", True)]
    assert sorted_by("name", allowed, "-used", unique="id") == [Order("name"), Order("id")]
    for wrong in ("--name", "key_hash", "member__user__password", "\0"):
        with pytest.raises(Invalid, match="not valid"):
            sorted_by(wrong, allowed, "name")


def test_the_size_of_a_page_has_bounds() -> None:
    assert page_size(None) == LIMITS.page_size
    assert page_size(LIMITS.page_size_max) == LIMITS.page_size_max
    for wrong in (0, -1, LIMITS.page_size_max + 1):
        with pytest.raises(Invalid):
            page_size(wrong)


# --- Segments


def segments(keys: QuerySet[ApiKey], *, apart: bool) -> list[Segment[ApiKey]]:
    """The keys without an end, by name, then the others by their end; each a source by itself or all in one."""
    dated, endless = keys.exclude(expires_at=None), keys.filter(expires_at=None)
    by_end = [Order("expires_at", descending=True), Order("id")]
    sources = [dated.filter(name=name) for name in "cab"] if apart else [dated]
    return [
        Segment([endless], [Order("name"), Order("id")]),
        Segment([keys.none()], [Order("id")]),
        Segment(sources, by_end),
    ]


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("size", [1, 5, 6, 7, 8, 12, 50])
def test_segments_follow_each_other_both_ways(keys: QuerySet[ApiKey], size: int, apart: bool) -> None:
    listed = segments(keys, apart=apart)
    whole = [*keys.filter(expires_at=None).order_by("name", "id")]
    whole += keys.exclude(expires_at=None).order_by("-expires_at", "id")
    page = segmented_page(listed, size=size)
    there = [page]
    while page.next:
        page = segmented_page(listed, cursor=page.next, size=size)
        there.append(page)
    assert [row for one in there for row in one.rows] == whole
    assert there[0].previous is None
    back: list[ApiKey] = list(page.rows)
    while page.previous:
        page = segmented_page(listed, cursor=page.previous, size=size)
        assert page.next is not None
        back = page.rows + back
    assert back == whole


def test_a_cursor_of_another_segment_or_list_is_refused(keys: QuerySet[ApiKey]) -> None:
    listed = segments(keys, apart=False)
    first, last = segmented_page(listed, size=1).next, segmented_page(listed, size=10).next
    assert first
    assert last
    for cursor, other in ((first, listed[1:]), (last, listed[:2]), (last, listed[::-1])):
        with pytest.raises(Invalid):
            segmented_page(other, cursor=cursor)
