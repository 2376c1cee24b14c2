"""The migrated test database, made once and copied: for every worker of a run, and on SQLite for later runs too.

To migrate takes 10 to 40 seconds, a copy none. Django's `migrate` runs over each copy all the same, so that a copy is
never behind; the key sees to it that a migration that was changed is not taken for one that ran.
"""

import ast
import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import django
from django.apps import apps
from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "test-databases"
# Set by tests/on_postgres.py where the server is its own: no other server is to keep a database of ours.
OWN_SERVER = "TEST_DATABASE_OWN_SERVER"
SECONDS_KEPT = 2 * 24 * 3600


def use_templates() -> None:
    """From now on the test database is a copy of a template where there is one, and becomes it where there is none."""
    if connection.vendor == "postgresql" and OWN_SERVER not in os.environ:
        return
    create, create_empty = connection.creation.create_test_db, connection.creation._create_test_db
    template = (SqliteTemplate if connection.vendor == "sqlite" else PostgresTemplate)(key_of(sources()))

    def created(*args: Any, **kwargs: Any) -> Any:
        with locked():
            known = template.is_there()
            made = create(*args, **kwargs)
            if not known:
                template.keep()
        return made

    def copied(*args: Any, **kwargs: Any) -> Any:
        if template.is_there():
            return template.copy(lambda: create_empty(*args, **kwargs))
        return create_empty(*args, **kwargs)

    connection.creation.create_test_db = created  # type: ignore[method-assign]
    connection.creation._create_test_db = copied  # type: ignore[method-assign]


class SqliteTemplate:
    """A file that stays for the next run."""

    def __init__(self, key: str) -> None:
        self.path = CACHE / f"{key}.sqlite3"

    def is_there(self) -> bool:
        return self.path.exists()

    def copy(self, create_empty: Callable[[], str]) -> str:
        name = create_empty()
        shutil.copyfile(self.path, name)
        return name

    def keep(self) -> None:
        for old in CACHE.glob("*.sqlite3*"):
            if old.stat().st_mtime < time.time() - SECONDS_KEPT:
                old.unlink(missing_ok=True)
        unfinished = self.path.with_suffix(f".sqlite3-{os.getpid()}")
        unfinished.unlink(missing_ok=True)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(unfinished)])
        unfinished.replace(self.path)


class PostgresTemplate:
    """A database beside those of the workers, which ends with the server."""

    def __init__(self, key: str) -> None:
        self.name = f"template_{key}"

    def is_there(self) -> bool:
        with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [self.name])
            return cursor.fetchone() is not None

    def copy(self, create_empty: Callable[[], str]) -> str:
        connection.settings_dict["TEST"]["TEMPLATE"] = self.name
        return create_empty()

    def keep(self) -> None:
        made = connection.settings_dict["NAME"]
        connection.close()  # a database that somebody uses is no template
        with connection._nodb_cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute(f'CREATE DATABASE "{self.name}" TEMPLATE "{made}"')
        connection.ensure_connection()


def key_of(paths: Iterable[Path]) -> str:
    """What tells one state of these files, and of Django, from another."""
    digest = hashlib.sha256(f"{django.__version__} {connection.vendor}".encode())
    for path in sorted(set(paths)):
        digest.update(f"\0{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:24]


def sources() -> Iterator[Path]:
    """Every migration of every app, and the modules of ours that migrations import."""
    for app in apps.get_app_configs():
        for path in (Path(app.path) / "migrations").glob("*.py"):
            yield path
            yield from _imported(path)


def _imported(path: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            for found in (ROOT / (name.replace(".", "/") + end) for end in (".py", "/__init__.py")):
                if found.exists():
                    yield found


@contextmanager
def locked() -> Iterator[None]:
    """One worker makes the template while the others wait for it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / f"{connection.vendor}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
