"""Importing and exporting through the API (DS-121 to DS-141, DS-D36 to DS-D53, BC-1, BC-13, BC-14)."""

from typing import Any
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import AuditEntry
from core.limits import LIMITS
from datasets.logic.drafts import FIELDS
from datasets.logic.file_writers import template
from datasets.models import Dataset
from tests.api.clients import ApiClient, client_of, key_of
from tests.cast import Cast

CSV = (
    b"input,reference_answer,tags\r\nHow long is the return window?,30 days from delivery,returns\r\n"
    b'Can I return a used kettle?,"No, only unused items",returns\r\n'
)


class Files:
    """Sends and fetches files of one dataset with a key."""

    def __init__(self, key: str, dataset: Dataset) -> None:
        self.client, self.path = Client(), f"/api/v1/datasets/{dataset.pk}"
        self.headers = {"Authorization": f"Bearer {key}"}

    def send(
        self, data: bytes, name: str = "cases.csv", kind: str = "text/csv", query: str = "", **headers: str
    ) -> Any:
        sent = {"file": SimpleUploadedFile(name, data, content_type=kind)}
        return self.client.post(f"{self.path}/cases/import{query}", sent, headers={**self.headers, **headers})

    def fetch(self, query: str) -> Any:
        return self.client.get(f"{self.path}/export?{query}", headers=self.headers)

    def text(self, query: str) -> bytes:
        answer = self.fetch(query)
        assert answer.status_code == 200
        return b"".join(answer.streaming_content)


@pytest.fixture
def files(cast: Cast, dataset: Dataset) -> Files:
    return Files(key_of(cast.builder), dataset)


def problems(answer: Any) -> list[tuple[int | None, str]]:
    assert answer.status_code == 422, answer.content
    return [(error.get("row"), error["field"]) for error in answer.json()["errors"]]


@pytest.mark.spec("DS-134", "DS-D1")
@pytest.mark.parametrize("kind", ["text/csv", "application/vnd.ms-excel", "application/octet-stream", ""])
def test_the_file_of_the_specification_imports_whatever_type_a_browser_announces(files: Files, kind: str) -> None:
    answer = files.send(CSV, kind=kind)
    assert (answer.status_code, answer.json()) == (
        201,
        {"version": 1, "added": 2, "identical": 0, "twins": 0, "credentials_hidden": 0, "case_count": 2},
    )


@pytest.mark.spec("DS-D2", "DS-124", "DS-D42")
def test_a_refusal_names_row_field_and_message_of_every_problem(files: Files) -> None:
    answer = files.send(b"input,reference_answer,checks\nq1,,\nq2,a,[{}]\nq3,a,\n,a,\n")
    assert problems(answer) == [(2, "reference_answer"), (3, "checks.0.type"), (5, "input")]
    assert answer.json()["detail"] == "3 of 4 rows are not valid. Nothing was imported."
    assert problems(files.send(b"input;expected\r\na;b\r\n")) == [(1, "file")]
    assert "looks separated by semicolons" in files.send(b"input;expected\r\na;b\r\n").json()["errors"][0]["message"]


@pytest.mark.spec("DS-D36", "DS-D43")
def test_what_is_no_import_file_is_refused(files: Files) -> None:
    assert problems(files.send(b"", name="cases.csv"))[0][1] == "file"
    assert problems(files.send(CSV, name="cases.xlsx")) == [(None, "file")]
    assert files.send(b"x" * (LIMITS.import_bytes + 1)).status_code == 413
    empty = files.client.post(f"{files.path}/cases/import", {"other": "x"}, headers=files.headers)
    assert problems(empty) == [(None, "other")]


@pytest.mark.spec("PL-42", "DS-D46")
def test_the_same_key_imports_once(files: Files) -> None:
    first = files.send(CSV, **{"Idempotency-Key": "k1"})
    again = files.send(CSV, **{"Idempotency-Key": "k1"})
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again["Idempotent-Replayed"] == "true"
    assert files.send(CSV + b"another,a,\r\n").json()["version"] == 2


@pytest.mark.spec("DS-136", "DS-122")
def test_an_unchanged_export_makes_no_version_and_an_edited_one_can_add_only_what_differs(files: Files) -> None:
    """BC-13 (i): 200 instead of 201, and `skip_existing` for the choice that the console offers."""
    files.send(CSV)
    for kind in ("csv", "jsonl"):
        answer = files.send(files.text(f"format={kind}"), name=f"x.{kind}")
        assert (answer.status_code, answer.json()) == (
            200,
            {"version": 1, "added": 0, "identical": 2, "twins": 0, "credentials_hidden": 0, "case_count": 2},
        )
    edited = files.text("").replace(b"only unused", b"only sealed")
    answer = files.send(edited, query="?skip_existing=true")
    assert (answer.status_code, answer.json()) == (
        201,
        {"version": 2, "added": 1, "identical": 1, "twins": 1, "credentials_hidden": 0, "case_count": 3},
    )
    assert problems(files.send(edited, query="?skip_existing=perhaps")) == [(None, "skip_existing")]


@pytest.mark.spec("DS-135", "DS-D52", "ACC-D21")
@pytest.mark.parametrize(
    ("query", "name", "kind"),
    [
        ("", "returns-v1.csv", "text/csv; charset=utf-8"),
        ("format=csv", "returns-v1.csv", "text/csv; charset=utf-8"),
        ("format=jsonl&version=1", "returns-v1.jsonl", "application/x-ndjson"),
    ],
)
def test_an_export_is_an_attachment_with_its_name_and_type(files: Files, query: str, name: str, kind: str) -> None:
    files.send(CSV)
    answer = files.fetch(query)
    assert answer.streaming
    assert answer["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer["Content-Type"] == kind
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "no-store"


@pytest.mark.spec("DS-136", "DS-D50", "DS-55")
def test_an_export_comes_back_unchanged_as_new_cases_in_another_organisation(cast: Cast, files: Files) -> None:
    files.send(template().encode())
    stranger = client_of(cast.stranger)
    other = Dataset(pk=stranger.post("/datasets", {"name": "Other"}).json()["id"])
    elsewhere = Files(stranger.key, other)
    for kind, status in (("csv", 201), ("jsonl", 200)):
        data = files.text(f"format={kind}")
        assert elsewhere.send(data, name=f"x.{kind}").status_code == status
    assert elsewhere.text("format=csv&version=1") == files.text("format=csv")
    ours = {case["id"] for case in client_of(cast.builder).get(f"/datasets/{files.path[-36:]}/cases").json()["results"]}
    theirs = {case["id"] for case in stranger.get(f"/datasets/{other.pk}/cases").json()["results"]}
    assert not ours & theirs


@pytest.mark.spec("DS-D7", "DS-D37")
def test_an_export_of_no_version_is_a_header_or_nothing_and_may_have_a_mark(files: Files) -> None:
    assert files.text("format=csv").startswith(b"input,history,")
    assert files.text("format=csv").count(b"\r\n") == 1
    assert files.text("format=jsonl") == b""
    assert files.text("format=csv&bom=true").startswith(b"\xef\xbb\xbfinput,")
    files.send(CSV)
    assert files.send(files.text("bom=true")).json()["identical"] == 2


@pytest.mark.spec("DS-135", "DS-55")
def test_an_older_version_is_exported_as_it_was(cast: Cast, files: Files) -> None:
    files.send(CSV)
    before = files.text("version=1")
    builder = client_of(cast.builder)
    path = files.path.removeprefix("/api/v1")
    case = builder.get(f"{path}/cases").json()["results"][0]["id"]
    builder.patch(f"{path}/cases/{case}", {"reference_answer": "14 days"})
    assert files.text("version=1") == before
    assert b"14 days" in files.text("version=2")


@pytest.mark.spec("DS-141", "DS-D53", "ACC-76")
def test_an_export_is_recorded_before_its_first_byte(cast: Cast, files: Files) -> None:
    files.send(CSV)
    files.fetch("format=jsonl")
    entry = AuditEntry.objects.get(action="dataset.exported")
    assert entry.details == {"version": 1, "format": "jsonl", "cases": 2, "hidden": 0, "from_conversations": 0}
    assert entry.member == cast.builder


def test_a_wrong_format_is_named(files: Files) -> None:
    assert problems(files.fetch("format=xml")) == [(None, "format")]


@pytest.mark.spec("DS-126", "DS-127")
def test_the_template_imports_as_it_is(cast: Cast, files: Files) -> None:
    answer = Client().get("/api/v1/datasets/import-template.csv", headers=files.headers)
    assert answer["Content-Disposition"] == 'attachment; filename="casebook-template.csv"'
    assert files.send(answer.content).json()["added"] == 1


@pytest.mark.spec("DS-D21")
def test_line_breaks_and_letters_of_any_script_survive_every_way(cast: Cast, files: Files) -> None:
    text = "a\nb\n\n“żółw” \U0001f422 שלום \u200d \u2028 'x' =1"
    builder = client_of(cast.builder)
    path = files.path.removeprefix("/api/v1")
    builder.post(f"{path}/cases", {"input": text, "reference_answer": text})
    for kind in ("csv", "jsonl"):
        data = files.text(f"format={kind}&version=1")
        assert files.send(data, name=f"x.{kind}").json()["identical"] == 1
        files.send(data + data.removeprefix(b",".join(map(str.encode, FIELDS)) + b"\r\n") * 4, name=f"x.{kind}")
    cases = builder.get(f"{path}/cases").json()["results"]
    assert [(case["input"], case["reference_answer"]) for case in cases] == [(text, text)] * 6
    assert builder.get(f"{path}/cases?q={quote('ŻÓŁW')}").json()["total"] == 6


@pytest.mark.spec("DS-D52")
def test_a_name_without_latin_letters_still_makes_a_file_name(cast: Cast) -> None:
    builder: ApiClient = client_of(cast.builder)
    made = builder.post("/datasets", {"name": '東京 "x"\r\n'}).json()
    answer = Files(builder.key, Dataset(pk=made["id"])).fetch("format=csv")
    assert answer["Content-Disposition"] == 'attachment; filename="x-v0.csv"'
