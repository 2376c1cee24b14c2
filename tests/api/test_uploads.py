"""Bodies with a file: bounded while they arrive, done once by what they hold and not by how they are cut (DS-D36)."""

from typing import Any

import pytest

from core.limits import LIMITS
from tests.api.clients import ApiClient
from tests.api.world import make_world
from tests.cast import Cast

CSV = b"input,reference_answer\nWhat is open today?,Everything.\n"


def form(content: bytes, *, boundary: str = "b", name: str = "file", filename: str = "cases.csv") -> bytes:
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{filename}"\r\n'
    return head.encode() + b"Content-Type: text/csv\r\n\r\n" + content + f"\r\n--{boundary}--\r\n".encode()


def send(api: ApiClient, ids: dict[str, str], body: bytes, boundary: str = "b", **headers: str) -> Any:
    path = f"/datasets/{ids['dataset_id']}/cases/import"
    content_type = f"multipart/form-data; boundary={boundary}"
    return api.send("POST", path, raw=body, content_type=content_type, **headers)


def cases_of(api: ApiClient, ids: dict[str, str]) -> int:
    return int(api.get(f"/datasets/{ids['dataset_id']}/cases").json()["total"])


@pytest.mark.spec("PL-42")
def test_an_upload_sent_twice_is_done_once_whatever_its_boundary(cast: Cast) -> None:
    api, ids = make_world(cast)
    before = cases_of(api, ids)
    first = send(api, ids, form(CSV, boundary="one"), "one", Idempotency_Key="k")
    again = send(api, ids, form(CSV, boundary="two"), "two", Idempotency_Key="k")
    assert (first.status_code, again.status_code) == (201, 201), first.content
    assert again.content == first.content
    assert again["Idempotent-Replayed"] == "true"
    other = send(api, ids, form(CSV + b"Another?,Yes.\n"), Idempotency_Key="k")
    assert other.status_code == 422
    assert cases_of(api, ids) == before + 1


@pytest.mark.spec("DS-76", "PL-41")
def test_a_file_over_the_limit_is_413_and_at_the_limit_is_read(cast: Cast) -> None:
    api, ids = make_world(cast)
    full = CSV + b" " * (LIMITS.import_bytes - len(CSV))
    assert send(api, ids, form(full)).status_code in (201, 422)
    refused = send(api, ids, form(full + b" "))
    assert refused.status_code == 413
    assert f"{LIMITS.import_bytes:,}" in refused.json()["detail"]


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(
    ("body", "boundary"),
    [
        (b"", "b"),
        (b"nothing of the kind", "b"),
        (form(CSV), "other"),
        (form(CSV)[:60], "b"),
        (form(CSV, name="datei"), "b"),
        (form(CSV, filename="cases.exe"), "b"),
        (form(CSV), "\xff"),
        (form(b"\xff\xfe\0"), "b"),
        (form(b"", filename=""), "b"),
        (b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\ntext\r\n--b--\r\n', "b"),
        (b'--b\r\nContent-Disposition: form-data; name="x"\r\n\r\n' + b"x" * 13_000_000 + b"\r\n--b--\r\n", "b"),
    ],
    ids=range(11),
)
def test_a_form_that_cannot_be_read_is_refused_and_never_a_fault(cast: Cast, body: bytes, boundary: str) -> None:
    api, ids = make_world(cast)
    api.client.raise_request_exception = False
    before = cases_of(api, ids)
    response = send(api, ids, body, boundary)
    assert response.status_code in (413, 415, 422), response.content
    assert isinstance(response.json()["detail"], str)
    assert cases_of(api, ids) == before
