"""Cases from the field: what went wrong for users of other tools, end to end through our API (BC-1 to BC-17, BC-53).

Each test says its case in the docstring. BC-8 with a killed process is in test_kills.py, BC-16 and BC-8 with two
writers in test_concurrency.py and test_history.py, BC-49 and BC-50 in test_hidden_credentials.py and credentials/.
"""

import json
from typing import Any
from urllib.parse import quote

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from core.limits import LIMITS
from datasets.models import Case, CaseRevision, Dataset, DatasetVersion
from tests.api.clients import PREFIX, ApiClient, client_of
from tests.cast import Cast

HEAD = b"input,reference_answer\n"


class Caller:
    """Somebody's key and one dataset."""

    def __init__(self, client: ApiClient, dataset_id: Any) -> None:
        self.client, self.path = client, f"/datasets/{dataset_id}"

    def upload(self, data: bytes, name: str = "cases.csv", kind: str = "text/csv", query: str = "", **more: str) -> Any:
        sent = {"file": SimpleUploadedFile(name, data, content_type=kind)}
        headers = {"Authorization": f"Bearer {self.client.key}", **more}
        return self.client.client.post(f"{PREFIX}{self.path}/cases/import{query}", sent, headers=headers)

    def export(self, query: str = "") -> bytes:
        return b"".join(self.client.get(f"{self.path}/export?{query}").streaming_content)

    def cases(self, query: str = "") -> list[dict[str, Any]]:
        return self.client.get(f"{self.path}/cases?page_size=100&{query}").json()["results"]

    def add(self, body: Any = None, raw: bytes | None = None) -> Any:
        return self.client.send("POST", f"{self.path}/cases", body, raw=raw)

    def another(self, name: str) -> "Caller":
        """The same key and a new dataset."""
        return Caller(self.client, self.client.post("/datasets", {"name": name}).json()["id"])


@pytest.fixture
def ours(cast: Cast, dataset: Dataset) -> Caller:
    return Caller(client_of(cast.builder), dataset.pk)


def refused(answer: Any) -> list[tuple[int | None, str, str]]:
    """Row, field and words of each problem; then nothing is stored."""
    assert answer.status_code == 422, answer.content
    assert not any(model.objects.exists() for model in (DatasetVersion, Case, CaseRevision))
    return [(error.get("row"), error["field"], error["message"]) for error in answer.json()["errors"]]


# --- Import


@pytest.mark.spec("DS-D38", "DS-D39")
@pytest.mark.parametrize("kind", ["text/csv", "application/vnd.ms-excel", "application/octet-stream"])
def test_semicolons_are_named_and_the_type_that_a_browser_announces_is_ignored(ours: Caller, kind: str) -> None:
    """BC-1"""
    ((row, field, words),) = refused(ours.upload(b'input;expected\r\n"Hello, you";hi\r\n', kind=kind))
    assert (row, field) == (1, "file")
    assert "looks separated by semicolons" in words
    assert ours.upload(b'input,reference_answer\r\n"Hello, you",hi\r\n', kind=kind).json()["added"] == 1
    assert ours.cases()[0]["input"] == "Hello, you"


@pytest.mark.spec("DS-D37")
def test_marks_are_dropped_in_files_and_bodies_and_other_encodings_are_named(ours: Caller) -> None:
    """BC-2"""
    text = "input,reference_answer\nnaïve café,a\n"
    assert "UTF-16" in refused(ours.upload(text.encode("utf-16")))[0][2]
    ((_row, _field, words),) = refused(ours.upload(text.encode("cp1252")))
    assert "Byte 26, in line 2," in words
    line = '{"input":"in a line","reference_answer":"a"}'
    assert ours.upload(text.encode("utf-8-sig")).status_code == 201
    assert ours.upload(line.encode("utf-8-sig"), "a.jsonl").status_code == 201
    assert ours.add(raw=line.replace("line", "body").encode("utf-8-sig")).status_code == 201
    assert [case["input"] for case in ours.cases()] == ["naïve café", "in a line", "in a body"]


@pytest.mark.spec("DS-124", "DS-D40", "DS-D41", "DS-D42")
def test_every_ragged_row_is_named_at_once_and_a_column_that_stands_twice_before_any_row(ours: Caller) -> None:
    """BC-4"""
    found = refused(ours.upload(HEAD + b"q1,a1,extra\nq2\n,\n\nq3,a3\n"))
    assert [(row, field) for row, field, _words in found] == [(2, ""), (3, "reference_answer")]
    ((row, field, words),) = refused(ours.upload(b"input,input\nx,y\n,\n"))
    assert (row, field, words) == (1, "input", "This column is there 2 times.")


@pytest.mark.spec("DS-D36", "DS-D39", "DS-D45", "DS-D20")
def test_a_huge_cell_a_huge_file_and_too_many_rows_are_measured_by_our_own_limits(ours: Caller) -> None:
    """BC-5"""
    assert refused(ours.upload(HEAD + b"x" * 140_000 + b",y\n")) == [
        (2, "input", "At most 50000 characters; this has 140000.")
    ]
    assert ours.upload(HEAD + b"x" * LIMITS.import_bytes).status_code == 413
    many = ours.upload(HEAD + b"q,a\n" * 10_001)
    assert (many.status_code, many.json()["adding"], many.json()["room"]) == (409, 10_001, 10_000)
    assert not DatasetVersion.objects.exists()
    assert ours.upload(HEAD + b"x" * 50_000 + b",y\n").status_code == 201


@pytest.mark.spec("DS-124", "DS-D42")
def test_a_raw_line_break_in_json_names_every_bad_line_of_the_file(ours: Caller) -> None:
    """BC-7"""
    data = b'{"input":"ok","reference_answer":"a"}\n{"input":"first\nsecond","reference_answer":"b"}\n'
    found = refused(ours.upload(data, "cases.jsonl"))
    assert [row for row, _field, _words in found] == [2, 3]
    assert "line ends inside a string; write \\n" in found[0][2]
    assert "column" in found[0][2]


@pytest.mark.spec("DS-123", "DS-124", "PL-42")
def test_no_prefix_of_a_file_stays_behind_and_the_corrected_file_makes_one_version(ours: Caller) -> None:
    """BC-8"""
    good = b"".join(b'{"input":"q%d","reference_answer":"a"}\n' % number for number in range(1000))
    found = refused(ours.upload(good + b'["not","an","object"]\n', "cases.jsonl", **{"Idempotency-Key": "k"}))
    assert [row for row, _field, _words in found] == [1001]
    again = [ours.upload(good, "cases.jsonl", **{"Idempotency-Key": "k"}).json() for _sending in range(2)]
    assert again[0] == again[1]
    assert (again[0]["version"], again[0]["added"], DatasetVersion.objects.count()) == (1, 1000, 1)


HARD = {
    "nan": b'{"cost":NaN}',
    "infinite": b'{"cost":1e999}',
    "long": b'{"n":' + b"1" * 5000 + b"}",
    "deep": b"[" * 5000 + b"]" * 5000,
    "twice": b'{"a":1,"a":2}',
}


@pytest.mark.spec("DS-D44")
@pytest.mark.parametrize("name", HARD)
def test_what_breaks_parsers_is_refused_as_a_body_as_a_line_and_as_a_cell(ours: Caller, name: str) -> None:
    """BC-10"""
    value = HARD[name]
    body = b'{"input":"q","expected_tool_calls":[{"tool":"t","args":' + value + b"}]}"
    cell = b'"' + (b'[{"tool":"t","args":' + value + b"}]").replace(b'"', b'""') + b'"'
    assert ours.add(raw=value).status_code in {400, 422}
    assert ours.add(raw=body).status_code in {400, 422}
    assert {row for row, _field, _words in refused(ours.upload(value + b"\n" + body, "x.jsonl"))} == {1, 2}
    assert refused(ours.upload(b"input,expected_tool_calls\nq," + cell + b"\n"))[0][:2] == (2, "expected_tool_calls")


@pytest.mark.spec("DS-136", "DS-D24", "DS-D49")
def test_lists_and_values_in_cells_keep_content_and_type(ours: Caller) -> None:
    """BC-11"""
    case = {
        "input": "| Plan | Price |\n| --- | --- |",
        "tags": ["a|b", "c", "x;y"],
        "history": [{"role": "user", "content": "| Plan | Price |\n| --- | --- |"}],
        "expected_tool_calls": [
            {"tool": "lookup", "args": {"city": "Łódź", "n": 1.0, "vip": True, "tier": None, "one": 1, "text": "true"}}
        ],
        "checks": [{"type": "json_schema", "schema": {"const": None}}],
    }
    assert ours.add(case).status_code == 201
    for kind in ("csv", "jsonl"):
        file = ours.export(f"format={kind}")
        copy = ours.another(f"A copy as {kind}")
        assert copy.upload(file, f"x.{kind}").status_code == 201
        assert copy.export(f"format={kind}") == file
        (back,) = copy.cases()
        for name, value in case.items():
            assert repr(_sorted(back[name])) == repr(_sorted(value)), name


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(inner) for inner in value] if isinstance(value, list) else value


# --- Export


@pytest.mark.spec("DS-136", "DS-137", "DS-138", "DS-D50")
def test_an_export_changes_nothing_here_and_makes_new_cases_elsewhere(cast: Cast, ours: Caller) -> None:
    """BC-13"""
    stranger = Caller(client_of(cast.stranger), client_of(cast.stranger).post("/datasets", {"name": "X"}).json()["id"])
    for text in ("=1+1", "+1", "-1", "@x", "'quoted", "'=x", "plain", '"', ",", "a\tb", " x "):
        assert ours.add({"input": text, "reference_answer": text, "note": text, "tags": [text.replace(",", "-")]})
    ids = {case["id"] for case in ours.cases()}
    newest = ours.client.get(f"{ours.path}/versions").json()["results"][0]["number"]
    for kind in ("csv", "jsonl"):
        file = ours.export(f"format={kind}")
        answer = ours.upload(file, f"x.{kind}")
        assert (answer.status_code, answer.json()["version"], answer.json()["added"]) == (200, newest, 0)
        assert not any(identifier.encode() in file for identifier in ids)
        for there in (ours.another(f"Here as {kind}"), stranger.another(f"There as {kind}")):
            assert there.upload(file, f"x.{kind}").json()["added"] == len(ids)
            assert there.export(f"format={kind}") == file
            assert not ids & {case["id"] for case in there.cases()}
    edited = ours.export("format=jsonl").replace(b'"note":"plain"', b'"note":"edited"')
    answer = ours.upload(edited, "x.jsonl", query="?skip_existing=true").json()
    assert (answer["version"], answer["added"], answer["identical"]) == (newest + 1, 1, len(ids) - 1)


@pytest.mark.spec("DS-136", "DS-D21")
def test_line_breaks_inside_cells_come_back_and_show_no_change(ours: Caller) -> None:
    """BC-14; what is stored has line feeds (DS-D21), and from then on nothing changes any more."""
    written = ["a\nb", "a\r\nb", "a\rb", "a\n", "\na", "a\n\n\nb"]
    stored = ["a\nb", "a\nb", "a\nb", "a\n", "\na", "a\n\n\nb"]
    rows = [{"input": f"{number} {text}", "reference_answer": text} for number, text in enumerate(written)]
    cells = "".join(f'"{row["input"]}","{row["reference_answer"]}"\r\n' for row in rows)
    by_line = "\n".join(map(json.dumps, rows))
    assert ours.upload(HEAD + cells.encode()).json()["added"] == len(rows)
    assert ours.upload(by_line.encode(), "x.jsonl").json()["added"] == 0
    assert [case["reference_answer"] for case in ours.cases()] == stored
    for row in rows:
        copy = ours.another("By the API")
        made = copy.add(row).json()
        assert copy.upload(copy.export("format=csv")).json()["identical"] == 1
        assert copy.upload(copy.export("format=jsonl"), "x.jsonl").json()["identical"] == 1
        patched = copy.client.patch(f"{copy.path}/cases/{made['id']}", row).json()
        assert (patched["version"], patched["reference_answer"]) == (1, made["reference_answer"])


# --- Twins


@pytest.mark.spec("DS-D33", "DS-D34")
def test_the_same_question_stays_two_cases_and_near_ones_are_counted_and_never_merged(ours: Caller) -> None:
    """BC-17"""
    rows = ["caf\u00e9,1", "cafe\u0301,2", "CAF\u00c9 ,3", "tea,4", "tea,5", "tea,4"]
    first = ours.upload(HEAD + "\n".join(rows).encode()).json()
    assert (first["added"], first["twins"], first["identical"], first["case_count"]) == (6, 4, 0, 6)
    second = ours.upload(HEAD + "\n".join(rows).encode()).json()
    assert (second["added"], second["identical"], second["case_count"]) == (0, 6, 6)
    assert [case["input"] for case in ours.cases()] == [row.split(",")[0] for row in rows]


# --- Unicode


@pytest.mark.spec("DS-D6", "DS-D24", "DS-D10")
def test_search_tags_and_names_fold_letters_alike_on_every_database(ours: Caller) -> None:
    """BC-53"""
    ours.add({"input": "Żółta łódź", "reference_answer": "a", "tags": ["Łódź"]})
    ours.add({"input": "Lodka", "reference_answer": "a", "tags": ["łódź"]})
    found = [len(ours.cases(f"q={quote(text)}")) for text in ("żółta", "ŁÓDŹ", "lodz", "ż", "Zolta  LODZ", "łodka")]
    assert found == [1, 1, 1, 1, 1, 1]
    assert [len(ours.cases(f"tag={quote(text)}")) for text in ("Łódź", "łódź", "ŁÓDŹ", "lodz")] == [2, 2, 2, 0]
