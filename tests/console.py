"""A real console process for tests: gunicorn with the product's configuration on the test database."""

import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.worker import ROOT, database_url, wait_until


@dataclass(frozen=True)
class Console:
    """Where the process answers, and the file that its log goes to."""

    address: str
    log: Path


@contextmanager
def running_console(**environment: str) -> Iterator[Console]:
    """The console answers inside the block and is stopped after it."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    changed = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": database_url(),
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "LOG_LEVEL": "DEBUG",
        **environment,
    }
    with tempfile.NamedTemporaryFile(prefix="casebook-console-", suffix=".log") as log:
        command = [sys.executable, "-m", "gunicorn", "--config", "config/gunicorn.py", "config.wsgi"]
        process = subprocess.Popen(command, cwd=ROOT, env=changed, stdout=log, stderr=log)
        try:
            assert wait_until(lambda: _listens(port)), Path(log.name).read_text()
            yield Console(f"http://127.0.0.1:{port}", Path(log.name))
        finally:
            process.terminate()
            process.wait(30)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
