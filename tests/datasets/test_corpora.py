"""Other people's collections of hard files and texts, read and written by ours (BC-1 to BC-14, DS-D39, DS-D44)."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from core.limits import LIMITS
from core.reading_child import ReadingChild
from core.strict_json import JSONFault, read_json
from datasets.logic.csv_records import records_of
from datasets.logic.drafts import FIELDS, CaseDraft
from datasets.logic.encodings import decoded
from datasets.logic.file_writers import csv_lines, jsonl_lines
from datasets.logic.import_file import read_import_file
from datasets.logic.rows import UnreadableFile
from datasets.logic.validation import read_case
from datasets.logic.written_case import written
from datasets.models import Dataset
from tests import corpora
from tests.api.clients import PREFIX, ApiClient, client_of
from tests.cast import Cast

# Valid JSON that the rules of cases refuse: a repeated key (DS-D44), a character no database holds (DS-D21).
REFUSED_ALL_THE_SAME = {
    "y_object_duplicated_key",
    "y_object_duplicated_key_and_value",
    "y_object_escaped_null_in_key",
    "y_string_null_escape",
}
# Its JSON holds another telephone number than its CSV, and no list.
WRONG_IN_THE_COLLECTION = {"location_coordinates"}


def problems(name: str, data: bytes) -> int:
    """How many problems the file has; never anything but a refusal in words."""
    try:
        return len(read_import_file(name, data, most=LIMITS.cases).problems)
    except UnreadableFile as refused:
        return len(refused.problems)


def call_with(value: bytes) -> bytes:
    return b'[{"tool":"t","args":{"v":' + value + b"}}]"


def line_with(value: bytes) -> bytes:
    return b'{"input":"q","expected_tool_calls":' + call_with(value) + b"}"


# --- CSV


@pytest.mark.spec("DS-D39")
def test_each_csv_file_of_the_spectrum_reads_as_its_json_says() -> None:
    files = corpora.csv_spectrum()
    assert len(files) >= 12
    for name, (data, rows) in files.items():
        header, *records = records_of(decoded(data))
        read = [dict(zip(header.cells, record.cells, strict=True)) for record in records]
        if name not in WRONG_IN_THE_COLLECTION:
            assert read == rows, name
        assert problems("x.csv", data), name


# --- JSON


@pytest.mark.spec("DS-D44")
def test_each_text_of_the_json_suite_is_taken_or_refused_as_its_name_says() -> None:
    wrong = []
    for name, text in corpora.json_tests().items():
        try:
            read_json(text)
        except JSONFault:
            taken = False
        else:
            taken = True
        expected = name.startswith("y_") and name not in REFUSED_ALL_THE_SAME
        if taken != expected and not name.startswith("i_"):
            wrong.append(name)
    assert wrong == []


@pytest.mark.spec("DS-D44", "DS-124")
def test_no_text_of_the_json_suite_is_more_than_a_problem_as_a_line_or_as_a_cell() -> None:
    wrong = []
    for name, text in corpora.json_tests().items():
        cell = b'"' + call_with(text).replace(b'"', b'""') + b'"'
        as_cell = problems("x.csv", b"input,expected_tool_calls\nq," + cell + b"\n")
        as_line = problems("x.jsonl", line_with(text.replace(b"\n", b" ") if name.startswith("y_") else text))
        as_file = problems("x.jsonl", text)
        must_be_refused = name.startswith("n_") or name in REFUSED_ALL_THE_SAME
        if must_be_refused and not (as_cell and as_line and as_file):
            wrong.append((name, as_cell, as_line, as_file))
        if not must_be_refused and name.startswith("y_") and (as_cell or as_line):
            wrong.append((name, as_cell, as_line))
    assert wrong == []


@pytest.mark.spec("DS-136", "DS-140")
def test_each_valid_text_of_the_json_suite_comes_back_from_a_file_equal_in_value_and_type() -> None:
    taken = {n: t for n, t in corpora.json_tests().items() if n.startswith("y_") and n not in REFUSED_ALL_THE_SAME}
    lines = [line_with(text.replace(b"\n", b" ")) for text in taken.values()]
    cases = read_import_file("x.jsonl", b"\n".join(lines), most=LIMITS.cases).drafts
    for name, writer in (("x.csv", csv_lines), ("x.jsonl", jsonl_lines)):
        file = "".join(writer(map(written, cases)))
        assert read_import_file(name, file.encode(), most=LIMITS.cases).drafts == cases
    for case, (name, text) in zip(cases, taken.items(), strict=True):
        value = case.expected_tool_calls[0]["args"]["v"]
        assert repr(value) == repr(_in_order(json.loads(text))), name


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value)}
    return [_in_order(inner) for inner in value] if isinstance(value, list) else value


# --- Texts


def raw_case(text: str) -> dict[str, Any]:
    """A case with the text in every field that takes it."""
    tag = text.replace(",", "").strip()[: LIMITS.tag_characters].strip()
    return {
        "input": text,
        "history": [{"role": "user", "content": text}, {"role": "assistant", "content": text}],
        "reference_answer": text,
        "counter_example": text,
        "expected_tool_calls": [{"tool": text[: LIMITS.tool_name_characters], "args": {text: [text, {"a": text}]}}],
        "order_mode": "any",
        "checks": [{"type": "contains", "value": text}],
        "tags": [tag] if tag else [],
        "note": text,
    }


def naughty_cases() -> list[dict[str, Any]]:
    return [raw_case(text) for text in corpora.naughty_strings() if text.strip()]


@pytest.mark.spec("DS-136", "DS-137", "DS-138")
def test_every_naughty_string_in_every_field_comes_back_from_both_files_byte_for_byte() -> None:
    raws = naughty_cases()
    cases: list[CaseDraft] = []
    with ReadingChild() as child:
        for raw in raws:
            case, wrong = read_case(raw, child)
            assert case is not None, wrong
            assert case.hidden == 0, raw["input"]
            cases.append(case)
    assert [case.as_dict() for case in cases] == raws
    for name, writer in (("x.csv", csv_lines), ("x.jsonl", jsonl_lines)):
        file = "".join(writer(map(written, cases))).encode()
        assert read_import_file(name, file, most=LIMITS.cases).drafts == tuple(cases)


@pytest.mark.spec("DS-136")
def test_naughty_strings_survive_the_api_the_database_and_an_import_elsewhere(cast: Cast, dataset: Dataset) -> None:
    """All of them as a file; as bodies all are read, and every twenty-fourth is sent, since each makes a version."""
    raws = naughty_cases()
    builder = client_of(cast.builder)
    for raw in raws:
        assert read_json(json.dumps(raw)) == raw
    for raw in raws[::24]:
        made = builder.post(f"/datasets/{dataset.pk}/cases", raw).json()
        assert {name: made[name] for name in FIELDS} == raw
    data = "".join(json.dumps(raw) + "\n" for raw in raws).encode()
    assert imported(builder, dataset, "jsonl", data)["identical"] == len(raws[::24])
    for kind in ("csv", "jsonl"):
        other = Dataset(pk=builder.post("/datasets", {"name": kind}).json()["id"])
        file = exported(builder, dataset, kind)
        assert imported(builder, other, kind, file)["added"] == len(raws) + len(raws[::24])
        assert exported(builder, other, kind) == file
        assert imported(builder, other, kind, file)["added"] == 0


def imported(client: ApiClient, dataset: Dataset, kind: str, data: bytes) -> dict[str, Any]:
    sent = {"file": SimpleUploadedFile(f"x.{kind}", data)}
    path = f"{PREFIX}/datasets/{dataset.pk}/cases/import"
    return client.client.post(path, sent, headers={"Authorization": f"Bearer {client.key}"}).json()


def exported(client: ApiClient, dataset: Dataset, kind: str) -> bytes:
    return b"".join(client.get(f"/datasets/{dataset.pk}/export?format={kind}").streaming_content)
