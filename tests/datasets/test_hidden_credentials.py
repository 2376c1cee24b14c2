"""No credential is stored, whichever way a case comes in (DS-179 to DS-184, DS-D62 to DS-D64, BC-49)."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry
from datasets.models import CaseRevision, Dataset

# Put together here, so that no scanner takes the test for a leak.
TOKEN = "ghp" + "_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
MARK = "[redacted:github_token]"
CASE: dict[str, Any] = {
    "input": f"Why does {TOKEN} fail?",
    "history": [{"role": "user", "content": f"My token is {TOKEN}."}, {"role": "assistant", "content": "Revoke it."}],
    "reference_answer": f"Never send **{TOKEN}**.",
    "counter_example": f"Use https://{TOKEN}@example.org/.",
    "expected_tool_calls": [{"tool": "revoke", "args": {"deep": [{"value": TOKEN}]}}],
    "order_mode": "any",
    "checks": [{"type": "not_contains", "value": TOKEN}],
    "tags": [TOKEN],
    "note": f"Found in a chat: {TOKEN}",
}
PLACES = 8


def csv_of(case: dict[str, Any]) -> bytes:
    cells = [json.dumps(value) if isinstance(value, list) else value for value in case.values()]
    cells[list(case).index("tags")] = ",".join(case["tags"])
    quoted = ['"' + cell.replace('"', '""') + '"' for cell in cells]
    return (",".join(case) + "\n" + ",".join(quoted) + "\n").encode()


def upload(client: Client, address: str, name: str, data: bytes, **more: str) -> Any:
    return client.post(address, {"file": SimpleUploadedFile(name, data), **more})


def by_form(client: Client, dataset: Dataset) -> Any:
    fields = {name: value for name, value in CASE.items() if isinstance(value, str)} | {"tags": TOKEN}
    for number, turn in enumerate(CASE["history"]):
        fields |= {f"history.{number}.{part}": text for part, text in turn.items()}
    (call,), (check,) = CASE["expected_tool_calls"], CASE["checks"]
    argument = {"name": "deep", "kind": "json", "value": json.dumps(call["args"]["deep"])}
    fields |= {"expected_tool_calls.0.tool": call["tool"]}
    fields |= {f"expected_tool_calls.0.args.0.{part}": text for part, text in argument.items()}
    fields |= {f"checks.0.{part}": text for part, text in check.items()}
    return client.post(reverse("case_new", args=[dataset.pk]), fields, follow=True)


def by_form_as_json(client: Client, dataset: Dataset) -> Any:
    sent = {"mode": "json", "case_json": json.dumps(CASE)}
    return client.post(reverse("case_new", args=[dataset.pk]), sent, follow=True)


def by_api(client: Client, dataset: Dataset) -> Any:
    return client.post(reverse("api_cases", args=[dataset.pk]), CASE, content_type="application/json")


def by_csv(client: Client, dataset: Dataset) -> Any:
    return upload(client, reverse("api_import", args=[dataset.pk]), "cases.csv", csv_of(CASE))


def by_jsonl(client: Client, dataset: Dataset) -> Any:
    return upload(client, reverse("api_import", args=[dataset.pk]), "cases.jsonl", json.dumps(CASE).encode())


def by_import_dialog(client: Client, dataset: Dataset) -> Any:
    address = reverse("dataset_import", args=[dataset.pk])
    assert MARK in upload(client, address, "cases.csv", csv_of(CASE)).content.decode()
    return upload(client, address, "cases.csv", csv_of(CASE), step="import", once="one")


def everything_stored() -> str:
    """Every text in every table, as the database holds it; an index of words alone is read in the tables behind it."""
    texts = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            try:
                cursor.execute(f'SELECT * FROM "{table}"')
            except OperationalError:  # it only answers searches; the tables behind it are read by themselves
                continue
            texts += [str(row) for row in cursor.fetchall()]
    return "\n".join(texts)


@pytest.mark.spec("DS-179", "DS-180", "DS-181", "DS-182", "DS-183", "DS-184", "DS-D63", "ACC-77")
@pytest.mark.parametrize("bring", [by_form, by_form_as_json, by_api, by_csv, by_jsonl, by_import_dialog])
def test_no_way_in_stores_a_credential_and_the_audit_log_counts_them(
    bring: Callable[[Client, Dataset], Any], dataset: Dataset, sign_in: Callable[[str], Client]
) -> None:
    assert bring(sign_in("builder"), dataset).status_code < 400
    stored = CaseRevision.objects.get(dataset=dataset)
    assert stored.input == f"Why does {MARK} fail?"
    assert stored.expected_tool_calls == [{"tool": "revoke", "args": {"deep": [{"value": MARK}]}}]
    assert stored.tags == [MARK]
    assert TOKEN not in everything_stored()
    entry = AuditEntry.objects.filter(action__in=["case.added", "dataset.imported"]).get()
    assert entry.details["credentials_hidden"] == PLACES


@pytest.mark.spec("DS-182", "DS-D64")
def test_an_edit_hides_them_and_says_how_many(
    dataset: Dataset, add: Callable[..., Any], sign_in: Callable[[str], Client]
) -> None:
    case_id = add("How long is the return window?").revision.case_id
    client = sign_in("builder")
    fields = {"input": "How long is the return window?", "reference_answer": f"{TOKEN}", "base_revision": "1"}
    page = client.post(reverse("case_edit", args=[dataset.pk, case_id]), fields, follow=True).content.decode()
    assert "1 value looked like a credential and was hidden" in page
    assert CaseRevision.objects.newest(dataset).get().reference_answer == MARK
    assert AuditEntry.objects.get(action="case.edited").details["credentials_hidden"] == 1
    assert TOKEN not in everything_stored()


@pytest.mark.spec("DS-D13", "DS-D63")
def test_sending_the_same_credential_again_changes_nothing(dataset: Dataset, sign_in: Callable[[str], Client]) -> None:
    client = sign_in("builder")
    case = by_api(client, dataset).json()
    address = reverse("api_case", args=[dataset.pk, case["id"]])
    assert client.patch(address, CASE, content_type="application/json").json()["version"] == 1


@pytest.mark.spec("DS-D33")
def test_twins_are_found_by_the_question_as_it_is_stored(dataset: Dataset, sign_in: Callable[[str], Client]) -> None:
    client = sign_in("builder")
    case = by_api(client, dataset).json()
    asked = client.post(
        reverse("api_twins", args=[dataset.pk]), {"input": CASE["input"]}, content_type="application/json"
    )
    assert asked.json() == {"twins": [{"case_id": case["id"]}]}


@pytest.mark.spec("DS-D64")
def test_an_import_says_how_many_it_hid(dataset: Dataset, sign_in: Callable[[str], Client]) -> None:
    assert by_jsonl(sign_in("builder"), dataset).json()["credentials_hidden"] == PLACES


@pytest.mark.spec("DS-D63")
def test_a_refusal_does_not_repeat_what_was_sent(dataset: Dataset, sign_in: Callable[[str], Client]) -> None:
    body = {**CASE, "checks": [{"type": TOKEN}], "order_mode": TOKEN, "tags": [f"{TOKEN},x"]}
    answer = sign_in("builder").post(reverse("api_cases", args=[dataset.pk]), body, content_type="application/json")
    assert answer.status_code == 422
    assert TOKEN not in answer.content.decode()
