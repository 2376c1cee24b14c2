"""A real worker process for tests: `manage.py worker` on the test database."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.db import connection

ROOT = Path(__file__).resolve().parent.parent


def database_url() -> str:
    """The address of the database that this test process uses."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlsplit(os.environ["TEST_DATABASE_URL"])._replace(path=f"/{name}").geturl()


def worker_environment() -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.worker_settings",
        "DATABASE_URL": database_url(),
        "LOG_LEVEL": "INFO",
    }


@contextmanager
def running_worker() -> Iterator[Path]:
    """The worker runs inside the block and is stopped after it; gives the file that its log goes to."""
    with tempfile.NamedTemporaryFile(prefix="casebook-worker-", suffix=".log") as log:
        command = [sys.executable, "manage.py", "worker"]
        worker = subprocess.Popen(command, cwd=ROOT, env=worker_environment(), stdout=log, stderr=log)
        try:
            yield Path(log.name)
        finally:
            worker.terminate()
            worker.wait(30)


def wait_until(true: Callable[[], bool], *, seconds: float = 20) -> bool:
    """Whether it became true in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if true():
            return True
        time.sleep(0.1)
    return False
