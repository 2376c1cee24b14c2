"""A connection that breaks while a file is being sent leaves nothing behind (BC-8, DS-123, DS-D36)."""

import os
import socket
from pathlib import Path

import httpx2
import pytest

from accounts.models import IdempotentRequest
from core.limits import LIMITS
from datasets.models import Case, DatasetVersion
from datasets.operations.datasets import create_dataset
from tests.api.clients import key_of
from tests.cast import Cast
from tests.console import Console, running_console
from tests.worker import wait_until

BOUNDARY = "casebook-boundary"
ROWS = b"input,reference_answer\n" + b"".join(b"question %06d,%s\n" % (n, b"a" * 2_000) for n in range(2_000))
BODY = (
    f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'.encode()
    + ROWS
    + f"\r\n--{BOUNDARY}--\r\n".encode()
)


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("DS-123", "DS-D36")
def test_a_connection_cut_halfway_through_a_file_leaves_no_case_no_key_and_no_file(cast: Cast, tmp_path: Path) -> None:
    dataset = create_dataset(cast.actor("builder"), name="Returns")
    path = f"/api/v1/datasets/{dataset.pk}/cases/import"
    headers = {
        "Authorization": f"Bearer {key_of(cast.builder)}",
        "Content-Type": f"multipart/form-data; boundary={BOUNDARY}",
        "Idempotency-Key": "once",
    }
    with running_console(TMPDIR=str(tmp_path)) as console:
        standing = set(os.listdir(tmp_path))
        send_half(console, path, headers)
        assert wait_until(lambda: '"status": 422' in console.log.read_text()), console.log.read_text()[-2_000:]
        assert not DatasetVersion.objects.exists()
        assert not Case.objects.exists()
        assert not IdempotentRequest.objects.exists()
        assert set(os.listdir(tmp_path)) == standing
        with httpx2.Client(base_url=console.address, timeout=60) as client:
            for _again in range(2):
                sent = client.post(path, content=BODY, headers=headers)
                assert sent.status_code == 201, sent.text
    assert DatasetVersion.objects.count() == 1
    assert Case.objects.count() == 2_000


def send_half(console: Console, path: str, headers: dict[str, str]) -> None:
    """Announce the whole file, send more of it than is kept in memory, and hang up."""
    host, port = console.address.removeprefix("http://").split(":")
    lines = [f"POST {path} HTTP/1.1", f"Host: {host}:{port}", f"Content-Length: {len(BODY)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    half = BODY[: len(BODY) // 2]
    assert 1024 * 1024 < len(half) < LIMITS.import_bytes
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall("\r\n".join([*lines, "", ""]).encode() + half)
