"""Differences, numbers and times as people read them."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import numbers, times
from core.differences import MOST_LINES, Kind, Line, compare

NOW = datetime(2026, 3, 14, 15, 9, 26, tzinfo=UTC)
LINES = st.lists(st.sampled_from(["one", "two", "two and a half", "three", "", "żółw"]), max_size=30)


def lines(old: str, new: str) -> list[Line]:
    return [line for stretch in compare(old, new) for line in stretch.lines]


def side(found: list[Line], name: str) -> list[str]:
    sides = [getattr(line, name) for line in found]
    return ["".join(piece.text for piece in pieces) for pieces in sides if pieces is not None]


@given(LINES, LINES)
@settings(deadline=None)
def test_both_sides_of_a_difference_are_the_two_texts(old: list[str], new: list[str]) -> None:
    found = lines("\n".join(old), "\n".join(new))
    assert side(found, "old") == "\n".join(old).splitlines()
    assert side(found, "new") == "\n".join(new).splitlines()


@given(LINES)
def test_equal_texts_have_no_marked_word(text: list[str]) -> None:
    found = lines("\n".join(text), "\n".join(text))
    assert all(line.kind is Kind.SAME for line in found)


def test_changed_words_are_marked_and_the_others_are_not() -> None:
    (line,) = lines("within 14 days", "within 30 days")
    assert line.kind is Kind.CHANGED
    assert line.old is not None
    assert line.new is not None
    assert [piece.text for piece in line.old if piece.marked] == ["14"]
    assert [piece.text for piece in line.new if piece.marked] == ["30"]


def test_unchanged_lines_far_from_a_change_are_folded() -> None:
    text = [f"line {n}" for n in range(20)]
    stretches = compare("\n".join(text), "\n".join([*text[:10], "new", *text[10:]]))
    assert [(stretch.folded, len(stretch.lines)) for stretch in stretches] == [(True, 8), (False, 5), (True, 8)]


def test_one_unchanged_line_is_not_folded() -> None:
    text = [f"line {n}" for n in range(6)]
    stretches = compare("\n".join(text), "\n".join(["x", *text[1:5], "y"]))
    assert not any(stretch.folded for stretch in stretches)


def test_texts_over_the_limit_are_shown_as_removed_and_added() -> None:
    found = lines("a\n" * MOST_LINES, "b")
    assert {line.kind for line in found} == {Kind.REMOVED, Kind.ADDED}


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        (None, "–"), (0, "$0.00"), (Decimal("0.0001"), "less than $0.01"), (Decimal("0.00999"), "less than $0.01"),
        (Decimal("0.01"), "$0.01"), (Decimal("1234.565"), "$1,234.57"), (Decimal("-3"), "-$3.00"),
    ],
)  # fmt: skip
def test_money_is_from_one_cent_on(amount: Decimal | None, shown: str) -> None:
    assert numbers.money(amount) == shown


def test_nothing_is_a_dash_and_never_nought() -> None:
    assert numbers.count(None) == numbers.decimals(None) == numbers.percent(None) == "–"


def test_numbers_have_separators_and_one_precision() -> None:
    assert numbers.count(1234567) == "1,234,567"
    assert [numbers.decimals(value, 2) for value in (1, 2.5, Decimal("3.149"))] == ["1.00", "2.50", "3.15"]
    assert numbers.percent(0.836) == "84%"


@pytest.mark.parametrize(
    ("size", "shown"), [(0, "0 B"), (1023, "1023 B"), (1024, "1 KB"), (10 * 1024 * 1024, "10.0 MB")]
)
def test_sizes_are_in_powers_of_1024(size: int, shown: str) -> None:
    assert numbers.file_size(size) == shown


@pytest.mark.parametrize(
    ("ago", "shown"),
    [
        (timedelta(seconds=3), "just now"), (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"), (timedelta(days=29, hours=23), "29 days ago"),
        (timedelta(days=30), "Feb. 12, 2026"), (timedelta(seconds=-5), "in a moment"),
        (timedelta(days=-7), "in 7 days"),
    ],
)  # fmt: skip
def test_times_are_relative_for_a_month(ago: timedelta, shown: str) -> None:
    assert times.relative(NOW - ago, NOW) == shown


def test_the_exact_time_has_seconds_and_zone() -> None:
    assert times.exact(NOW) == "March 14, 2026, 15:09:26 UTC"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0.0 s"), (0.84, "0.8 s"), (9.96, "10 s"), (59.6, "1 min 0 s"), (200, "3 min 20 s"),
        (3599.7, "1 h 0 min"), (7500, "2 h 5 min"), (86_399, "1 d 0 h"), (273_600, "3 d 4 h"), (-1, "0.0 s"),
    ],
)  # fmt: skip
def test_a_duration_is_said_in_two_units(seconds: float, shown: str) -> None:
    assert times.duration(seconds) == shown
