"""Writing many rows at once, as fast as each database can: COPY on PostgreSQL, one prepared INSERT on SQLite.

The Django objects of thousands of messages, and the statements that the ORM makes of them, cost more than storing them.
Rows are tuples here; columns that are not named get their field's default.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.db import connection, models

Row = Sequence[Any]


def insert_rows(model: type[models.Model], names: Sequence[str], rows: Iterable[Row]) -> None:
    """Store rows of the named columns (`attname`s). Raises `IntegrityError` as any insert does.

    JSON columns take their text. Call inside a transaction.
    """
    fields = {field.attname: field for field in model._meta.concrete_fields}
    left_out = [field for name, field in fields.items() if name not in names and not field.generated]
    defaults = tuple(_default(field) for field in left_out)
    columns = [str(fields[name].column) for name in names] + [str(field.column) for field in left_out]
    whole = ((*row, *defaults) for row in rows) if defaults else rows
    if connection.vendor == "postgresql":
        _copy(model._meta.db_table, columns, whole)
    else:
        kinds = [*(fields[name] for name in names), *left_out]
        _insert(model._meta.db_table, columns, [_converter(field) for field in kinds], whole)


def update_rows(model: type[models.Model], names: Sequence[str], rows: Iterable[tuple[Any, Row]]) -> None:
    """Give each row, named by its key, its own values in the named columns; sent to the database together."""
    fields = {field.attname: field for field in model._meta.concrete_fields}
    changed = [*(fields[name] for name in names), model._meta.pk]
    ready = [[*row, pk] for pk, row in rows]
    if not ready:
        return
    table = connection.ops.quote_name(model._meta.db_table)
    columns = [connection.ops.quote_name(str(field.column)) for field in changed]
    if connection.vendor == "postgresql":
        _update_together(table, columns, [str(field.db_type(connection)) for field in changed], ready)
        return
    changes = ", ".join(f"{column} = %s" for column in columns[:-1])
    converters = [_converter(field) for field in changed]
    with connection.cursor() as cursor:
        statement = f"UPDATE {table} SET {changes} WHERE {columns[-1]} = %s"  # noqa: S608
        cursor.executemany(statement, [_converted(row, converters) for row in ready])


def _update_together(table: str, columns: Sequence[str], kinds: Sequence[str], rows: Sequence[Row]) -> None:
    """In one statement, the key last in each row: one for each row would be read and planned as often.

    All values go as one JSON text: a mark for each value in the statement takes the driver longer than the database.
    """
    typed = ", ".join(f"{column} {kind}" for column, kind in zip(columns, kinds, strict=True))
    changes = ", ".join(f"{column} = given.{column}" for column in columns[:-1])
    given = f"json_to_recordset(%s) AS given({typed})"
    statement = f"UPDATE {table} SET {changes} FROM {given} WHERE {table}.{columns[-1]} = given.{columns[-1]}"  # noqa: S608
    names = [column.strip('"') for column in columns]
    sent = json.dumps([dict(zip(names, row, strict=True)) for row in rows], default=str, ensure_ascii=False)
    with connection.cursor() as cursor:
        cursor.execute(statement, [sent])


def _default(field: "models.Field[Any, Any]") -> Any:
    value = field.get_default()
    return field.get_prep_value(value) if isinstance(value, list | dict) else value


def _copy(table: str, columns: Sequence[str], rows: Iterable[Row]) -> None:
    quoted = ", ".join(map(connection.ops.quote_name, columns))
    statement = f"COPY {connection.ops.quote_name(table)} ({quoted}) FROM STDIN"
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _insert(
    table: str, columns: Sequence[str], converters: Sequence[Callable[[Any], Any] | None], rows: Iterable[Row]
) -> None:
    quoted, marks = ", ".join(map(connection.ops.quote_name, columns)), ", ".join(["%s"] * len(columns))
    statement = f"INSERT INTO {connection.ops.quote_name(table)} ({quoted}) VALUES ({marks})"  # noqa: S608
    ready = [_converted(row, converters) for row in rows]
    with connection.cursor() as cursor:
        cursor.executemany(statement, ready)


def _converted(row: Row, converters: Sequence[Callable[[Any], Any] | None]) -> list[Any]:
    return [
        value if converter is None or value is None else converter(value)
        for value, converter in zip(row, converters, strict=True)
    ]


def _converter(field: "models.Field[Any, Any]") -> Callable[[Any], Any] | None:
    """How a value is written where the driver does not know its type: ids, moments, amounts."""
    kind = field.target_field if isinstance(field, models.ForeignKey) else field
    if isinstance(kind, models.UUIDField):
        return lambda value: value.hex
    if isinstance(kind, models.DateTimeField):
        return connection.ops.adapt_datetimefield_value
    if isinstance(kind, models.DecimalField):
        return lambda value: connection.ops.adapt_decimalfield_value(value, kind.max_digits, kind.decimal_places)
    return None
