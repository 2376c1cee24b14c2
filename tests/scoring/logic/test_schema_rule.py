"""json_schema (SC-65, SC-81, SC-82, SC-D25, SC-D26, SC-D29, BC-10, BC-32)."""

import json
import time
from typing import Any

import pytest

from scoring.logic.answers import GradedAnswer
from scoring.logic.checks import CheckRunner, grade_checks
from scoring.logic.findings import Finding
from tests.scoring.logic.graded import as_checks, said


def grade(runner: CheckRunner, schema: Any, text: str, path: str = "") -> Finding:
    check = {"type": "json_schema", "schema": schema, **({"path": path} if path else {})}
    return grade_checks(runner, GradedAnswer(text), as_checks(check))[0]


@pytest.mark.spec("SC-65", "SC-D25", "SC-D26", "BC-32")
@pytest.mark.parametrize(
    ("schema", "text", "path", "expected"),
    [
        (True, "{}", "", "pass"),
        (False, "{}", "", "fail"),
        ({}, "1.5", "", "pass"),
        ({"type": "object"}, " \n{}\n ", "", "pass"),
        ({"type": "object"}, '"{}"', "", "fail"),
        ({"type": "object"}, "{} {}", "", "fail"),
        ({"type": "object"}, "```json\n{}\n```", "", "fail"),
        ({"type": "number"}, "NaN", "", "fail"),
        ({"type": "integer"}, "1.0", "", "pass"),
        ({"type": "integer"}, "1.5", "", "fail"),
        ({"type": "integer"}, "true", "", "fail"),
        ({"const": 1}, "true", "", "fail"),
        ({"enum": [[True], {"a": 1}]}, '{"a": 1.0}', "", "pass"),
        ({"enum": [[True], {"a": 1}]}, "[1]", "", "fail"),
        ({"multipleOf": 0.01}, "0.07", "", "pass"),
        ({"multipleOf": 0.01}, "0.075", "", "fail"),
        ({"type": "string"}, '{"a": ["1"]}', "a.0", "pass"),
        ({"type": "string"}, '{"a": [1]}', "a.0", "fail"),
        ({"required": ["a"]}, '{"v": {"a": 1}}', "v", "pass"),
        ({"maxLength": 1}, '"👍"', "", "pass"),
        ({"format": "email"}, '"no address"', "", "pass"),
        ({"properties": {"pattern": {"type": "string"}}}, '{"pattern": 1}', "", "fail"),
    ],
)
def test_the_value_itself_is_compared(runner: CheckRunner, schema: Any, text: str, path: str, expected: str) -> None:
    assert grade(runner, schema, text, path).verdict == expected


TREE = {
    "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}}},
    "$ref": "#/$defs/node",
}


@pytest.mark.spec("BC-32")
def test_a_reference_to_itself_follows_the_value_as_deep_as_it_is_read(runner: CheckRunner) -> None:
    def nested(levels: int, end: str) -> str:
        return '{"next":' * levels + end + "}" * levels

    assert grade(runner, TREE, nested(99, "{}")).verdict == "pass"
    finding = grade(runner, TREE, nested(3, "1"))
    assert (finding.verdict, said(finding)) == (
        "fail",
        'The value at next.next.next breaks "type": "object" of the schema',
    )
    finding = grade(runner, TREE, nested(101, "{}"))
    assert (finding.verdict, said(finding)) == ("error", "The answer nests too deep to read as JSON")


DOUBLING = {"$defs": {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(30)}, "$ref": "#/$defs/d0"}
DOUBLING["$defs"]["d30"] = {}


@pytest.mark.spec("SC-D29")
@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"$ref": "#"}, "The answer or the schema nests too deep to be compared"),
        ({"allOf": [{"$ref": "#"}]}, "The answer or the schema nests too deep to be compared"),
        (DOUBLING, "The schema takes too much time or memory"),
    ],
)
def test_a_schema_that_runs_on_is_stopped(runner: CheckRunner, schema: Any, words: str) -> None:
    finding = grade(runner, schema, "{}")
    assert (finding.verdict, said(finding)) == ("error", words)
    assert grade(runner, {"type": "object"}, "{}").verdict == "pass"


@pytest.mark.spec("SC-D29")
def test_unique_items_over_objects_take_no_long_time(runner: CheckRunner) -> None:
    items = [{"a": [number, {"b": "x"}]} for number in range(3_000)]
    began = time.process_time()
    assert grade(runner, {"uniqueItems": True}, json.dumps(items)).verdict == "pass"
    assert grade(runner, {"uniqueItems": True}, json.dumps([*items, items[7]])).verdict == "fail"
    assert time.process_time() - began < 1


@pytest.mark.spec("BC-10")
@pytest.mark.parametrize("number", ["1" * 5_000, "-" + "1" * 401, "1e999", "-1e400"])
def test_a_runaway_number_is_an_error(runner: CheckRunner, number: str) -> None:
    finding = grade(runner, {"type": "object"}, f'{{"n":{number}}}')
    assert (finding.verdict, said(finding)) == ("error", "The answer has a number that is too large to be compared")
    assert grade(runner, {"type": "object"}, f'{{"n":{number}').verdict == "fail"
    assert grade(runner, {"type": "string"}, f'{{"n":{number},"a":"b"}}', "a").verdict == "pass"


@pytest.mark.spec("SC-82", "SC-81", "SC-D29", "BC-32")
@pytest.mark.parametrize(
    ("schema", "why"),
    [
        ({"$ref": "http://127.0.0.1:9/x"}, "nothing is ever fetched"),
        ({"$ref": "file:///etc/passwd"}, "nothing is ever fetched"),
        ({"$ref": "#/$defs/a"}, "Pointer '/$defs/a' does not exist"),
        ({"$ref": "#a"}, "Anchor 'a' does not exist"),
        ({"$ref": "#/required", "required": ["a"]}, '["a"] is not of types "boolean", "object"'),
        ({"allOf": [{"pattern": "^(a+)+$"}]}, "pattern is not used here"),
        ({"patternProperties": {"a": {}}}, "patternProperties is not used here"),
        ({"type": "objekt"}, '"objekt" is not valid'),
        ({"$schema": "http://json-schema.org/draft-03/schema#"}, "only draft 2020-12 is known"),
        ({"properties": {"a": 1}}, '1 is not of types "boolean", "object"'),
        ({"minLength": "a"}, '"a" is not of type "integer"'),
        ({"allOf": 1}, '1 is not of type "array"'),
        ({"multipleOf": 0}, "0 is less than or equal to the minimum of 0"),
        ({"minLength": 1e999}, ""),
    ],
)
def test_a_stored_schema_that_is_refused_today_is_an_error(runner: CheckRunner, schema: Any, why: str) -> None:
    finding = grade(runner, schema, '"aaaa"')
    assert finding.verdict == "error"
    assert said(finding).startswith("The schema is not valid: ")
    assert why in said(finding)


def test_half_of_a_pair_in_an_answer_is_compared_like_any_other_character(runner: CheckRunner) -> None:
    assert grade(runner, {"properties": {"a": {"maxLength": 1}}}, '{"a": "\\ud800"}').verdict == "pass"
    assert grade(runner, {"items": {"maxLength": 1}}, '["\\ud800b"]').verdict == "fail"


REASONS = [
    ({"type": "object"}, "1", 'The answer breaks "type": "object" of the schema'),
    ({"required": ["a", "b"]}, '{"a": 1}', 'The answer breaks "required": ["b"] of the schema'),
    ({"items": {"minimum": 3}}, "[3, 2]", 'The value at 1 breaks "minimum": 3 of the schema'),
    ({"prefixItems": [{}, {"const": 3}]}, "[3, 2]", 'The value at 1 breaks "const": 3 of the schema'),
    (
        {"properties": {"a": {"items": {"maxLength": 1}}}},
        '{"a": ["b", "cd"]}',
        'The value at a.1 breaks "maxLength": 1 of the schema',
    ),
    (
        {"properties": {"a": {}}, "additionalProperties": False},
        '{"a": 1, "b": 2}',
        'The value at b breaks "additionalProperties": false of the schema',
    ),
    (
        {"unevaluatedProperties": False},
        '{"b": 2}',
        'The value at b breaks "unevaluatedProperties": false of the schema',
    ),
    (
        {"unevaluatedItems": {"type": "null"}},
        "[1]",
        'The answer breaks "unevaluatedItems": {"type": "null"} of the schema',
    ),
    (
        {"propertyNames": {"maxLength": 1}},
        '{"bc": 2}',
        'The answer breaks "maxLength": 1 of the schema',
    ),
    ({"minContains": 2, "contains": {"const": 1}}, "[1]", 'The answer breaks "minContains": 2 of the schema'),
    ({"contains": {"const": 1}}, "[]", 'The answer breaks "contains": {"const": 1} of the schema'),
    ({"maxContains": 1, "contains": {"const": 1}}, "[1, 1]", 'The answer breaks "maxContains": 1 of the schema'),
    (
        {"dependentRequired": {"a": ["b"]}},
        '{"a": 1}',
        'The answer breaks "dependentRequired": {"a": ["b"]} of the schema',
    ),
    (
        {"dependentSchemas": {"a": {"minProperties": 2}}},
        '{"a": 1}',
        'The answer breaks "minProperties": 2 of the schema',
    ),
    ({"not": {}}, "1", 'The answer breaks "not": {} of the schema'),
    ({"anyOf": [{"const": 1}]}, "2", 'The answer breaks "anyOf": [{"const": 1}] of the schema'),
    ({"oneOf": [{}, {}]}, "2", 'The answer breaks "oneOf": [{}, {}] of the schema'),
    ({"enum": ["é"]}, "2", 'The answer breaks "enum": ["é"] of the schema'),
    ({"if": {}, "then": {"minLength": 2}}, '"a"', 'The answer breaks "minLength": 2 of the schema'),
    ({"if": False, "else": {"minLength": 2}}, '"a"', 'The answer breaks "minLength": 2 of the schema'),
    (False, "1", 'The answer breaks "schema": false of the schema'),
]


@pytest.mark.spec("SC-10")
@pytest.mark.parametrize(("schema", "text", "words"), REASONS)
def test_the_reason_names_the_place_and_what_is_asked_there(
    runner: CheckRunner, schema: Any, text: str, words: str
) -> None:
    assert said(grade(runner, schema, text)) == words


def test_the_other_reasons(runner: CheckRunner) -> None:
    assert said(grade(runner, {}, "{}")) == "The answer is valid under the schema"
    assert said(grade(runner, {}, '{"a": 1}', "a")) == "The value at a is valid under the schema"
    assert said(grade(runner, {"type": "null"}, '{"a": [1]}', "a.0")) == (
        'The value at a.0 breaks "type": "null" of the schema'
    )
    long = said(grade(runner, {"enum": ["x" * 300]}, "1"))
    assert long == f'The answer breaks "enum": ["{"x" * 189}… of the schema'


@pytest.mark.spec("SC-149")
def test_a_credential_among_the_answers_keys_is_hidden(runner: CheckRunner) -> None:
    key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    words = said(grade(runner, {"additionalProperties": False}, json.dumps({key: 1})))
    assert key not in words
    assert "additionalProperties" in words
