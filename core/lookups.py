"""`pk__among=ids`: as `pk__in`, for many ids at once, which go to the database as one value; and `not_empty`.

A mark for each id in the statement takes Django and the driver longer than the database takes to find the rows.
"""

import json
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.core.exceptions import EmptyResultSet
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import BooleanField, F, Func, Lookup, UUIDField
from django.db.models.sql.compiler import SQLCompiler


def register() -> None:
    """Let every field of ids be looked up this way; called once, while Django starts."""
    UUIDField.register_lookup(Among)


def not_empty(column: str) -> Func:
    """The condition of a small index of the rows that have a text there, to the letter: SQLite takes an index of some
    rows only where it reads the index's own condition."""
    return Func(F(column), template="NOT (%(expressions)s = '')", output_field=BooleanField())


class Among(Lookup):
    """Of ids (`UUID`), none of them None; over a foreign key, name its target: `score__pk__among`."""

    lookup_name = "among"

    def get_prep_lookup(self) -> list[UUID]:
        """The ids as they are: there is nothing to convert."""
        given: Iterable[UUID] = self.rhs
        return list(given)

    def get_db_prep_lookup(self, value: Any, connection: BaseDatabaseWrapper) -> Any:
        """One value for all of them."""
        if connection.vendor == "postgresql":
            return "= ANY(%s::uuid[])", [f"{{{','.join([one.hex for one in value])}}}"]
        return "IN (SELECT value FROM json_each(%s))", [json.dumps([one.hex for one in value])]

    def as_sql(self, compiler: SQLCompiler, connection: BaseDatabaseWrapper) -> Any:
        """The condition and what fills it; without ids there is nothing to ask."""
        if not self.rhs:
            raise EmptyResultSet
        column, before = self.process_lhs(compiler, connection)
        condition, values = self.get_db_prep_lookup(self.rhs, connection)
        return f"{column} {condition}", (*before, *values)
