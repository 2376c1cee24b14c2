"""A database of its own for measurements: SQLite in a temporary file, or the server that TEST_DATABASE_URL names."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import django
from django.db import connection


@contextmanager
def own_database() -> Iterator[None]:
    """Django set up on an empty, migrated database."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    try:
        yield
    finally:
        connection.creation.destroy_test_db("", verbosity=0)
