"""The real small model of `make local-model`, listening; tests that need it are skipped where it is not installed."""

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from config.local_model import NotInstalled, server_command

PORT = 8791
START_SECONDS = 120


@contextmanager
def local_model_server(*more: str) -> Iterator[str]:
    """Its address, inside the block; `more` are further arguments of the server."""
    try:
        command = [*server_command(PORT), *more]
    except NotInstalled as reason:
        pytest.skip(str(reason))
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _wait_for(f"http://127.0.0.1:{PORT}/health")
            yield f"http://127.0.0.1:{PORT}/v1"
        finally:
            server.terminate()


def _wait_for(address: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            if urlopen(address, timeout=5).status == 200:  # noqa: S310 - an address of ours
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise AssertionError("the local model did not start")
