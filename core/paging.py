"""Keyset paging for the console and the API: pages by the last row seen, whatever is added meanwhile.

    order = [Order("name"), Order("id")]
    page = keyset_page(queryset, order, cursor=request.GET.get("cursor", ""), size=50)

One query a page, whatever the page's number. The last column of the order must be unique, so that no two rows tie.
A cursor is opaque and signed: what somebody changed or made up is refused as Invalid at `cursor`, never trusted.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.core.signing import BadSignature, Signer
from django.db.models import F, Model, Q, QuerySet
from django.db.models.expressions import OrderBy
from django.utils.translation import gettext as _

from core.errors import Invalid
from core.limits import LIMITS

Row = TypeVar("Row")
SIGNER_SALT = "core.paging"


@dataclass(frozen=True)
class Order:
    """One column of an order. Rows without a value come last in both directions where `nullable` says there are any.

    `field` is a field, an annotation, or a path over foreign keys (`user__name`).
    """

    field: str
    descending: bool = False
    nullable: bool = False

    def reversed(self) -> "Order":
        return replace(self, descending=not self.descending)


@dataclass(frozen=True)
class Page(Generic[Row]):
    """Some rows in order, and the cursors to the pages around them; None where there is none."""

    rows: list[Row]
    next: str | None
    previous: str | None


@dataclass(frozen=True)
class Segment(Generic[Row]):
    """Rows of a list that stand together, in one order. `sources` share no row, and have the rows between them.

    Several sources, each with an order that an index holds, are merged a page at a time; their columns are never empty.
    """

    sources: Sequence[QuerySet[Any, Row]]
    order: Sequence[Order]


def sorted_by(sort: str, allowed: Mapping[str, Order], default: str, *, unique: str = "pk") -> list[Order]:
    """The order for a wish such as `name` or `-name`, ended by the unique column in the same direction.

    Raises Invalid at `sort` for a column that is not in `allowed`.
    """
    wish = sort or default
    column = allowed.get(wish.removeprefix("-"))
    if column is None:
        names = ", ".join(sorted(allowed))
        raise Invalid.at("sort", _("Rows can be sorted by: %(names)s.") % {"names": names})
    descending = wish.startswith("-")
    return [replace(column, descending=descending), Order(unique, descending=descending)]


def page_size(wish: int | None) -> int:
    """The size asked for, or the usual one. Raises Invalid at `page_size` outside 1 to LIMITS.page_size_max."""
    if wish is None:
        return LIMITS.page_size
    if not 1 <= wish <= LIMITS.page_size_max:
        raise Invalid.at("page_size", _("It must be from 1 to %(most)d.") % {"most": LIMITS.page_size_max})
    return wish


def keyset_page(
    queryset: QuerySet[Any, Row], order: Sequence[Order], *, cursor: str = "", size: int = LIMITS.page_size
) -> Page[Row]:
    """The page of `queryset` at the cursor, the first one without. One query; raises Invalid at `cursor`."""
    return segmented_page([Segment([queryset], order)], cursor=cursor, size=size)


def segmented_page(segments: Sequence[Segment[Row]], *, cursor: str = "", size: int = LIMITS.page_size) -> Page[Row]:
    """A page of a list whose segments follow each other: all rows of the first, then all rows of the next.

    One query a source of the segments that the page reaches into; raises Invalid at `cursor`.
    """
    backward, values, start = _read_segmented(cursor, segments) if cursor else (False, None, 0)
    found: list[tuple[int, Row]] = []
    reached = range(start, -1, -1) if backward else range(start, len(segments))
    for number in reached:
        rows = _rows_of(segments[number], values, backward, size + 1 - len(found))
        found += [(number, row) for row in rows]
        values = None
        if len(found) > size:
            break
    more = len(found) > size
    found = found[:size]
    if not found:
        return Page([], None, None)
    if backward:
        found.reverse()
    (first, first_row), (last, last_row) = found[0], found[-1]
    has_next = backward or more
    has_previous = more if backward else bool(cursor)
    return Page(
        [row for _number, row in found],
        _cursor(segments[last].order, last_row, backward=False, segment=last) if has_next else None,
        _cursor(segments[first].order, first_row, backward=True, segment=first) if has_previous else None,
    )


def _rows_of(segment: Segment[Row], values: Sequence[Any] | None, backward: bool, most: int) -> list[Row]:
    """The next rows of a segment beyond the values, in the direction of reading; from its end without values."""
    ordering = [_order_by(column, backward) for column in segment.order]
    rows: list[Row] = []
    for source in segment.sources:
        found = source.order_by(*ordering)
        if values is not None:
            found = found.filter(_beyond(segment.order, values, backward))
        rows += found[:most]
    if len(segment.sources) > 1:
        for column in reversed(segment.order):
            descending = column.descending is not backward
            rows.sort(key=lambda row, path=column.field: _value(row, path), reverse=descending)  # type: ignore[misc]
    return rows[:most]


def page_of_rows(rows: Sequence[Row], order: Sequence[Order], *, cursor: str = "", size: int) -> Page[Row]:
    """The same of rows that were computed. They come in this order: every column ascending, none of them empty."""
    backward, values = _read_cursor(cursor, order) if cursor else (False, [])
    keys = [tuple(_value(row, column.field) for column in order) for row in rows]
    if backward:
        end = bisect_left(keys, tuple(values))
        start = max(0, end - size)
    else:
        start = bisect_right(keys, tuple(values)) if cursor else 0
        end = min(len(rows), start + size)
    shown = list(rows[start:end])
    if not shown:
        return Page([], None, None)
    return Page(
        shown,
        _cursor(order, shown[-1], backward=False) if end < len(rows) else None,
        _cursor(order, shown[0], backward=True) if start else None,
    )


def _order_by(column: Order, backward: bool) -> OrderBy | str:
    descending = column.descending is not backward
    if not column.nullable:
        return f"-{column.field}" if descending else column.field
    value = F(column.field)
    last = {"nulls_first": True} if backward else {"nulls_last": True}
    return value.desc(**last) if descending else value.asc(**last)


def _beyond(order: Sequence[Order], values: Sequence[Any], backward: bool) -> Q:
    """Rows that come after the values: equal in the first columns and beyond in the next, for each column."""
    condition, equal = Q(pk__in=[]), Q()
    for column, value in zip(order, values, strict=True):
        beyond = _beyond_in(column, value, backward)
        if beyond is not None:
            condition |= equal & beyond
        equal &= Q(**{f"{column.field}__isnull": True}) if value is None else Q(**{column.field: value})
    first = order[0]
    if not first.nullable:
        # Says nothing new, and lets the database start in its index at the right place.
        bound = "lte" if first.descending is not backward else "gte"
        condition &= Q(**{f"{first.field}__{bound}": values[0]})
    return condition


def _beyond_in(column: Order, value: Any, backward: bool) -> Q | None:
    """Beyond the value in this column; None where nothing can be."""
    null = Q(**{f"{column.field}__isnull": True})
    if value is None:
        return ~null if backward else None
    side = "lt" if column.descending is not backward else "gt"
    beyond = Q(**{f"{column.field}__{side}": value})
    return beyond | null if column.nullable and not backward else beyond


# --- Cursors


def _signer() -> Signer:
    return Signer(salt=SIGNER_SALT)


def _name_of(order: Sequence[Order]) -> str:
    return ",".join(f"{'-' if column.descending else ''}{column.field}" for column in order)


def _cursor(order: Sequence[Order], row: Any, *, backward: bool, segment: int = 0) -> str:
    values = [_packed(_value(row, column.field)) for column in order]
    # A list of one segment says nothing of segments.
    return _signer().sign_object([int(backward), _name_of(order), values, *([segment] if segment else [])])


def _read_segmented(cursor: str, segments: Sequence[Segment[Any]]) -> tuple[bool, list[Any], int]:
    """Direction, values and the number of the segment that they are of."""
    try:
        _backward, _name, _values, *rest = _signer().unsign_object(cursor)
    except (BadSignature, ValueError):
        raise _wrong_cursor() from None
    number = rest[0] if rest else 0
    if number >= len(segments):
        raise _wrong_cursor()
    backward, values = _read_cursor(cursor, segments[number].order)
    return backward, values, number


def _read_cursor(cursor: str, order: Sequence[Order]) -> tuple[bool, list[Any]]:
    try:
        backward, name, values, *_segment = _signer().unsign_object(cursor)
    except (BadSignature, ValueError):
        raise _wrong_cursor() from None
    if name != _name_of(order):
        raise _wrong_cursor()
    return bool(backward), [_unpacked(value) for value in values]


def _wrong_cursor() -> Invalid:
    return Invalid.at("cursor", _("This is no cursor of this list. Take it from `next` or `previous`."))


def _value(row: Any, path: str) -> Any:
    if isinstance(row, Mapping):
        return row[path]
    for name in path.split("__"):
        row = getattr(row, name) if row is not None else None
    return row.pk if isinstance(row, Model) else row


_PACKED: dict[type, str] = {datetime: "t", date: "d", UUID: "u", Decimal: "n"}
_UNPACKED: dict[str, Callable[[Any], Any]] = {
    "t": datetime.fromisoformat,
    "d": date.fromisoformat,
    "u": UUID,
    "n": Decimal,
    "": lambda value: value,
}


def _packed(value: Any) -> list[Any]:
    kind = _PACKED.get(type(value), "")
    if not kind:
        return ["", str(value) if isinstance(value, str) else value]
    return [kind, str(value) if kind in "un" else value.isoformat()]


def _unpacked(packed: list[Any]) -> Any:
    kind, value = packed
    return _UNPACKED[kind](value)
