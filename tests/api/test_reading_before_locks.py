"""What takes long is read before a write's transaction begins: on SQLite that holds the one write lock of all."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse

from datasets.api import cases
from datasets.operations import imports
from tests.api.test_uploads import CSV, form, send
from tests.api.world import make_world
from tests.cast import make_cast

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.spec("PL-50", "BC-40")]
CASE = {"input": "How long?", "checks": [{"type": "regex", "value": "30 days?"}]}


@pytest.fixture
def inside(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether a transaction was open, for each reading of a file or a case."""
    seen: list[bool] = []

    def watched(read: Callable[..., Any]) -> Callable[..., Any]:
        def reading(*args: Any, **kwargs: Any) -> Any:
            seen.append(connection.in_atomic_block)
            return read(*args, **kwargs)

        return reading

    monkeypatch.setattr(imports, "read_import_file", watched(imports.read_import_file))
    monkeypatch.setattr(cases, "draft_from", watched(cases.draft_from))
    monkeypatch.setattr(cases, "changes_from", watched(cases.changes_from))
    return seen


def test_the_api_reads_a_file_before_it_locks(inside: list[bool]) -> None:
    api, ids = make_world(make_cast())
    inside.clear()
    assert send(api, ids, form(CSV), Idempotency_Key="k").status_code == 201
    assert inside == [False]


def test_the_api_reads_a_case_before_it_locks(inside: list[bool]) -> None:
    api, ids = make_world(make_cast())
    inside.clear()
    made = api.post(f"/datasets/{ids['dataset_id']}/cases", CASE)
    assert made.status_code == 201
    path = f"/datasets/{ids['dataset_id']}/cases/{made.json()['id']}"
    assert api.patch(path, {"checks": [{"type": "regex", "value": "3[01] days?"}]}).status_code == 200
    assert inside == [False, False]


def test_the_console_reads_a_file_before_it_locks(inside: list[bool]) -> None:
    cast = make_cast()
    _api, ids = make_world(cast)
    inside.clear()
    browser = Client()
    browser.force_login(cast.owner.user)
    sent = {"file": SimpleUploadedFile("more.csv", CSV), "step": "import", "once": "x"}
    assert browser.post(reverse("dataset_import", args=[ids["dataset_id"]]), sent).status_code == 302
    assert inside == [False]
