"""DatabaseWrapper: closes the cursor that begins a transaction, also where the write lock was not had in time."""

from django.db.backends.sqlite3 import base


class DatabaseWrapper(base.DatabaseWrapper):
    """Django leaves that cursor to the garbage collector, and a failed BEGIN stands in a cycle with its exception.

    The collector runs in whichever thread allocates next, and to reset the statement it waits for the other thread's
    connection. Where that one waits for the write lock, and the collecting thread holds it, both wait until the
    timeout, which leaves the next such cursor: measured with eight threads, one overlong wait stopped all writing.
    """

    transaction_mode: str | None

    def _start_transaction_under_autocommit(self) -> None:
        with self.cursor() as cursor:
            cursor.execute(f"BEGIN {self.transaction_mode or 'DEFERRED'}")
