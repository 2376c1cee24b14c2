"""A write that waited too long for SQLite's one lock leaves nothing behind that other threads would wait for."""

import sqlite3
from collections.abc import Iterator
from types import TracebackType

import pytest
from django.db import OperationalError, connection, transaction
from django.db.backends.sqlite3.base import SQLiteCursorWrapper

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no lock of all writers"),
]


@pytest.fixture
def another_writer() -> Iterator[None]:
    """Holds the lock, while this connection waits only a moment for it."""
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 10")
    yield
    other.close()
    connection.close()


def cursors_in(error: BaseException | None) -> Iterator[SQLiteCursorWrapper]:
    """Those that the frames of the error and of its cause keep alive."""
    while error is not None:
        place: TracebackType | None = error.__traceback__
        while place is not None:
            yield from (value for value in place.tb_frame.f_locals.values() if isinstance(value, SQLiteCursorWrapper))
            place = place.tb_next
        error = error.__cause__


def test_the_cursor_of_a_transaction_that_could_not_begin_is_closed(another_writer: None) -> None:
    with pytest.raises(OperationalError, match="locked") as refused, transaction.atomic():
        pass
    left = list(cursors_in(refused.value))
    assert left
    for cursor in left:
        with pytest.raises(sqlite3.ProgrammingError, match="closed cursor"):
            sqlite3.Cursor.execute(cursor, "SELECT 1")
