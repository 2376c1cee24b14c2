"""Hostile requests against the console's pages: refused or left unread, never a fault (the API has its own walk)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import reverse

from config.wsgi import application
from datasets.models import Dataset
from datasets.operations.cases import add_case
from datasets.operations.datasets import create_dataset
from datasets.operations.drafts import draft_from
from tests.cast import Cast

QUERIES = [
    "q=%00&tag=%00&case=%00&source=%00&name=%00&sort=%00&format=%00&after=%00&object=%00&action=%00&chosen=%00",
    "q=%ED%A0%80&tag=%FF&case=%FF&name=%FF&object=%FF&cursor=%FF",
    f"page={'9' * 5000}",
    f"version={'9' * 5000}&page={'9' * 20}",
    "version=%C2%B2&page=%C2%B2&case=%D9%A1",
    "version=-1&page=-1&since=x&until=x&member=x&chosen=x:y",
    "since=0001-01-01&until=9999-12-31",
    "page=1&page=2&page=&q=a&q=b",
    f"q={'x' * 7000}",
    "%00",
    "after=eyJhIjoxfQ:x&before=x",
]
PAGES = ["dataset_list", "dataset_name_check", "audit_list", "invitation_list", "member_list", "api_key_list"]
OF_A_DATASET = ["dataset", "dataset_export", "dataset_export_file", "dataset_import", "case_new", "cases_delete"]
CHARSETS = ["hex", "undefined", "utf-7", "utf-16", "iso-8859-1"]


@pytest.fixture
def browser(sign_in: Callable[[str], Client]) -> Client:
    client = sign_in("owner")
    client.raise_request_exception = False
    return client


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    actor = cast.actor("owner")
    dataset = create_dataset(actor, name="Returns")
    add_case(actor, dataset_id=dataset.pk, draft=draft_from({"input": "How long?", "reference_answer": "30 days"}))
    return dataset


def body_of(response: Any) -> bytes:
    return b"".join(response.streaming_content) if response.streaming else response.content


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query[:30])
def test_no_query_string_makes_a_fault(browser: Client, dataset: Dataset, query: str) -> None:
    addresses = [reverse(name) for name in PAGES] + [reverse(name, args=[dataset.pk]) for name in OF_A_DATASET]
    for address in addresses:
        response = browser.get(f"{address}?{query}")
        body_of(response)
        assert response.status_code < 500, address


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("charset", CHARSETS)
@pytest.mark.parametrize("kind", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("address", ["/account/login/", "/api/v1/datasets"])
def test_another_charset_than_utf_8_is_refused_by_the_server(cast: Cast, charset: str, kind: str, address: str) -> None:
    """Through the entry point of the server, since Django's test client makes its requests by itself."""
    sent = b'--x\r\nContent-Disposition: form-data; name="name"\r\n\r\n+2AA-\r\n--x--\r\n'
    for method in ("GET", "POST"):
        request = RequestFactory().generic(method, address, sent, query_params={"q": "+2AA-"})
        environ = request.environ | {"CONTENT_TYPE": f"{kind}; charset={charset}"}
        statuses: list[Any] = []
        application(environ, lambda *answer, into=statuses: into.append(answer[0]))
        assert statuses == ["400 Bad Request"]


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize("once", ["", "a\x00b", "é" * 300])
def test_the_key_of_an_import_may_be_any_text(browser: Client, dataset: Dataset, once: str) -> None:
    for _attempt in range(2):
        file = SimpleUploadedFile("more.csv", b"input,reference_answer\nWhen?,Now\n")
        sent = {"file": file, "step": "import", "once": once}
        response = browser.post(reverse("dataset_import", args=[dataset.pk]), sent)
        assert response.status_code == 302
    dataset.refresh_from_db()
    assert dataset.newest_version == 2


@pytest.mark.spec("PL-9")
@pytest.mark.parametrize("host", ["evil.example", "testserver:x", "a b"])
def test_the_page_for_a_wrong_host_carries_the_policy_too(db: None, host: str) -> None:
    response = Client(raise_request_exception=False).get("/account/login/", headers={"host": host})
    assert response.status_code == 400
    assert "default-src 'none'" in response["Content-Security-Policy"]
