"""The demonstration's data files: every case is valid, every change applies, and the mix shows what a case can be."""

import json
from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import datasets
from core.limits import LIMITS
from core.reading_child import ReadingChild
from datasets.logic.drafts import EXPECTATIONS, ORDER_MODES, CaseDraft
from datasets.logic.file_writers import jsonl_lines
from datasets.logic.folding import question_hash
from datasets.logic.import_file import read_import_file
from datasets.logic.validation import read_case, read_fields
from datasets.logic.written_case import written

FOLDER = Path(datasets.__file__).parent / "demonstration"
INDEX = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
NAMES = [entry["file"] for entry in INDEX]
SHARE_OF_A_LANGUAGE = 0.08


# Each file is read once for all tests, because every reading starts a process for the patterns.
@cache
def first_version(name: str) -> tuple[CaseDraft, ...]:
    path = FOLDER / f"{name}.jsonl"
    read = read_import_file(path.name, path.read_bytes(), most=LIMITS.cases)
    assert read.problems == ()
    return read.drafts


def changes(name: str) -> list[dict[str, Any]]:
    return json.loads((FOLDER / f"{name}-history.json").read_text(encoding="utf-8"))


@cache
def versions(name: str) -> list[list[CaseDraft]]:
    """The cases of each version in turn, the first included."""
    made = [list(first_version(name))]
    with ReadingChild() as child:
        for change in changes(name):
            made.append(_applied(made[-1], change, child))
    return made


def _applied(cases: Sequence[CaseDraft], change: dict[str, Any], child: ReadingChild) -> list[CaseDraft]:
    if change["act"] in ("add", "import"):
        raws = [change["case"]] if change["act"] == "add" else change["cases"]
        return [*cases, *(_valid(raw, child) for raw in raws)]
    places = [place for place, case in enumerate(cases) if case.input == change["find"]]
    assert len(places) == 1, f"{len(places)} cases ask: {change['find']}"
    (place,) = places
    if change["act"] == "delete":
        return [*cases[:place], *cases[place + 1 :]]
    assert change["act"] == "edit"
    values, problems = read_fields(change["fields"], child)
    assert problems == []
    return [*cases[:place], cases[place].with_changes(values), *cases[place + 1 :]]


def _valid(raw: dict[str, Any], child: ReadingChild) -> CaseDraft:
    draft, problems = read_case(raw, child)
    assert problems == []
    assert draft is not None
    return draft


def share(cases: Sequence[CaseDraft], tag: str) -> float:
    return sum(tag in case.tags for case in cases) / len(cases)


@pytest.mark.parametrize("name", NAMES)
def test_the_first_cases_are_valid_and_written_as_an_export_writes_them(name: str) -> None:
    file = (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    assert "".join(jsonl_lines(map(written, first_version(name)))) == file


@pytest.mark.spec("DS-53")
@pytest.mark.parametrize("name", NAMES)
def test_every_change_finds_its_case_and_makes_a_version_that_differs(name: str) -> None:
    made = versions(name)
    assert len(made) >= 10
    assert all(before != after for before, after in pairwise(made))


@pytest.mark.parametrize("name", NAMES)
def test_no_version_has_a_case_with_nothing_to_compare(name: str) -> None:
    assert all(case.expectations for cases in versions(name) for case in cases)


@pytest.mark.parametrize("name", NAMES)
def test_the_newest_version_asks_no_question_twice(name: str) -> None:
    hashes = [question_hash(case.input) for case in versions(name)[-1]]
    assert len(set(hashes)) == len(hashes)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["es", "pl"])
def test_a_tenth_of_each_version_is_in_each_other_language(name: str, language: str) -> None:
    assert all(share(cases, language) >= SHARE_OF_A_LANGUAGE for cases in versions(name))


def test_all_four_expectations_occur_alone_and_together() -> None:
    found = {case.expectations for name in NAMES for case in first_version(name)}
    assert {only[0] for only in found if len(only) == 1} == set(EXPECTATIONS)
    assert EXPECTATIONS in found


def test_every_type_of_check_occurs() -> None:
    kinds = {check["type"] for name in NAMES for case in first_version(name) for check in case.checks}
    assert kinds == {
        "contains",
        "not_contains",
        "equals",
        "regex",
        "json_schema",
        "length",
        "max_cost_usd",
        "max_latency_ms",
        "judge",
    }


def test_the_agent_that_uses_tools_expects_calls_in_all_three_orders() -> None:
    expecting = [case for case in first_version("booking-agent") if case.expected_tool_calls]
    assert {case.order_mode for case in expecting} == set(ORDER_MODES)
    assert len(expecting) > len(first_version("booking-agent")) / 2
