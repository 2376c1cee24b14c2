"""Which checks may be saved (SC-58 to SC-82, SC-D24 to SC-D30, BC-29, BC-31, BC-32)."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from core.problems import Problem
from core.reading_child import ReadingChild
from datasets.logic.checks import read_checks


@pytest.fixture(scope="module")
def child() -> Iterator[ReadingChild]:
    with ReadingChild() as one:
        yield one


def problems_of(check: Any, child: ReadingChild) -> list[Problem]:
    return read_checks([check], child)[1]


def places(check: Any, child: ReadingChild) -> list[str]:
    return [problem.field for problem in problems_of(check, child)]


GOOD = [
    {"type": "contains", "value": "30 days"},
    {"type": "not_contains", "value": "x", "path": "items.0.name", "case_sensitive": True},
    {"type": "equals", "value": "yes", "case_sensitive": False},
    {"type": "regex", "value": r"\b\d{1,3} days\b"},
    {"type": "regex", "value": " ", "path": "a"},
    {"type": "json_schema", "schema": {"type": "object", "properties": {"pattern": {"type": "string"}}}},
    {"type": "json_schema", "schema": True, "path": "a"},
    {"type": "max_cost_usd", "value": 0},
    {"type": "max_cost_usd", "value": 0.01},
    {"type": "max_latency_ms", "value": 1},
    {"type": "length", "unit": "words", "max": 50},
    {"type": "length", "unit": "characters", "min": 0, "max": 100_000, "path": "a"},
    {"type": "judge", "criterion": "It refuses."},
]


@pytest.mark.spec("SC-58", "SC-60", "SC-61", "SC-62", "SC-63", "SC-65", "SC-66", "SC-67", "SC-68", "SC-72")
@pytest.mark.parametrize("check", GOOD, ids=lambda check: f"{check['type']}-{len(str(check))}")
def test_each_type_takes_its_parameters(check: dict[str, Any], child: ReadingChild) -> None:
    assert problems_of(check, child) == []


BAD = [
    ({"type": "nope"}, ["checks.0.type"]),
    ({"value": "x"}, ["checks.0.type"]),
    ("contains", ["checks.0"]),
    ({"type": ["contains"], "value": "x"}, ["checks.0.type"]),
    ({"type": "contains"}, ["checks.0.value"]),
    ({"type": "contains", "value": ""}, ["checks.0.value"]),
    ({"type": "contains", "value": " "}, ["checks.0.value"]),
    ({"type": "contains", "value": ["Paris, France", "Lyon"]}, ["checks.0.value"]),
    ({"type": "contains", "value": "x" * 10_001}, ["checks.0.value"]),
    ({"type": "contains", "value": "x", "case_sensitive": "true"}, ["checks.0.case_sensitive"]),
    ({"type": "contains", "value": "x", "ignore_case": True}, ["checks.0.ignore_case"]),
    ({"type": "equals", "value": "x", "path": 5}, ["checks.0.path"]),
    ({"type": "equals", "value": "x", "path": "a" * 201}, ["checks.0.path"]),
    ({"type": "equals", "value": "x", "path": ".".join("a" * 33)}, ["checks.0.path"]),
    ({"type": "regex", "value": "a" * 501}, ["checks.0.value"]),
    ({"type": "regex", "value": "("}, ["checks.0.value"]),
    ({"type": "max_cost_usd", "value": -0.01}, ["checks.0.value"]),
    ({"type": "max_cost_usd", "value": True}, ["checks.0.value"]),
    ({"type": "max_cost_usd", "value": float("inf")}, ["checks.0.value"]),
    ({"type": "max_cost_usd", "value": 1, "path": "a"}, ["checks.0.path"]),
    ({"type": "max_latency_ms", "value": 0}, ["checks.0.value"]),
    ({"type": "max_latency_ms", "value": 1.5}, ["checks.0.value"]),
    ({"type": "max_latency_ms", "value": 1, "path": "a"}, ["checks.0.path"]),
    ({"type": "length", "unit": "words"}, ["checks.0"]),
    ({"type": "length", "unit": "lines", "max": 1}, ["checks.0.unit"]),
    ({"type": "length", "max": 1}, ["checks.0.unit"]),
    ({"type": "length", "unit": "words", "min": 3, "max": 2}, ["checks.0.min"]),
    ({"type": "length", "unit": "words", "min": True}, ["checks.0.min"]),
    ({"type": "length", "unit": "words", "max": 100_001}, ["checks.0.max"]),
    ({"type": "judge", "criterion": " "}, ["checks.0.criterion"]),
    ({"type": "judge", "criterion": "x", "path": "a"}, ["checks.0.path"]),
]


@pytest.mark.spec("SC-59", "SC-64", "SC-69", "SC-70", "SC-77", "SC-D24", "SC-D27", "SC-D30")
@pytest.mark.parametrize(("check", "expected"), BAD, ids=lambda value: str(value)[:40])
def test_what_breaks_a_rule_is_named_at_its_place(check: Any, expected: list[str], child: ReadingChild) -> None:
    assert [f"checks.{place}" for place in places(check, child)] == expected


@pytest.mark.spec("SC-81", "SC-82", "SC-D29")
@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ({"$ref": "http://127.0.0.1:9/x"}, "$ref"),
        ({"$ref": "file:///etc/passwd"}, "$ref"),
        ({"$defs": {"a": {"not": {"$ref": "other.json#/a"}}}}, "$defs.a.not.$ref"),
        ({"$dynamicRef": "http://example.org"}, "$dynamicRef"),
        ({"$ref": "#/$defs/missing"}, "$ref"),
        ({"$ref": "#nowhere"}, "$ref"),
        ({"pattern": "^(a+)+$"}, "pattern"),
        ({"$defs": {"a": {"patternProperties": {"a": {}}}}}, "$defs.a.patternProperties"),
        ({"properties": {"a": {"items": [{"pattern": "a"}]}}}, "properties.a.items.0.pattern"),
        ({"$ref": "#/default", "default": {"pattern": "a"}}, "#/default.pattern"),
        ({"$id": "https://example.org/s"}, "$id"),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "$schema"),
        ({"type": "objekt"}, "type"),
        ({"minLength": -1}, "minLength"),
        ([], ""),
        ("object", ""),
        ({"description": "x" * 20_000}, ""),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_schema_that_fetches_hangs_or_is_none_is_refused(schema: Any, expected: str, child: ReadingChild) -> None:
    (problem,) = problems_of({"type": "json_schema", "schema": schema}, child)
    assert problem.field == ".".join(part for part in ("0", "schema", expected) if part)


@pytest.mark.spec("SC-D29")
@pytest.mark.parametrize(
    "schema",
    [
        False,
        {"$schema": "https://json-schema.org/draft/2020-12/schema"},
        {"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"next": {"$ref": "#/$defs/a"}}}}},
        {"$ref": "#here", "$defs": {"a": {"$anchor": "here", "type": "string"}}},
        {"$defs": {"a/b~c": {}}, "$ref": "#/$defs/a~1b~0c"},
        {"properties": {"patternProperties": {"type": "string"}, "$ref": {"type": "string"}}},
        {"enum": [{"pattern": "a"}]},
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_schema_that_stays_inside_itself_is_taken(schema: Any, child: ReadingChild) -> None:
    assert problems_of({"type": "json_schema", "schema": schema}, child) == []


def test_a_long_chain_of_references_is_walked_without_recursion(child: ReadingChild) -> None:
    links = {f"a{at}": {"$ref": f"#/$defs/a{at + 1}"} for at in range(500)}
    schema = {"$defs": {**links, "a500": {"pattern": "x"}}, "$ref": "#/$defs/a0"}
    assert places({"type": "json_schema", "schema": schema}, child) == ["0.schema.$defs.a500.pattern"]


@pytest.mark.spec("SC-D28")
@pytest.mark.parametrize("pattern", ["(((a{100}){100}){100}){100}", "(((a{1000}){1000})+)", "(?:(?:x{900}){900}){900}"])
def test_a_pattern_that_exhausts_memory_is_refused_within_its_bounds(pattern: str) -> None:
    with ReadingChild() as child:
        began = time.monotonic()
        (problem,) = problems_of({"type": "regex", "value": pattern}, child)
        assert "too much time or memory" in problem.text
        assert time.monotonic() - began < 10
        assert problems_of({"type": "regex", "value": "still (works|here)"}, child) == []


@pytest.mark.spec("SC-D28")
def test_slow_patterns_of_one_file_cannot_hold_a_process_for_long() -> None:
    with ReadingChild() as child:
        child._seconds_left = 0
        (problem,) = problems_of({"type": "regex", "value": "a"}, child)
        assert "too long altogether" in problem.text


@pytest.mark.spec("DS-139", "DS-D49")
def test_a_check_has_its_type_first_and_the_rest_in_order(child: ReadingChild) -> None:
    checks, _problems = read_checks(
        [
            {"value": "x", "path": "", "type": "contains", "case_sensitive": True},
            {"schema": {"type": "object", "properties": {"b": {}, "a": {}}}, "type": "json_schema"},
        ],
        child,
    )
    assert str(checks) == (
        "({'type': 'contains', 'case_sensitive': True, 'value': 'x'}, "
        "{'type': 'json_schema', 'schema': {'properties': {'a': {}, 'b': {}}, 'type': 'object'}})"
    )


@pytest.mark.spec("SC-D30")
def test_a_case_has_at_most_50_checks(child: ReadingChild) -> None:
    check = {"type": "contains", "value": "x"}
    assert read_checks([check] * 50, child)[1] == []
    assert [problem.field for problem in read_checks([check] * 51, child)[1]] == [""]
