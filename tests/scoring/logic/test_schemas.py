"""Schemas without the process around them: what they find, and what they do not take (SC-65, SC-D29, BC-10)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scoring.logic.schemas import NotRead, Schema, SchemaFault, TooLarge, read_value
from tests.corpora.schema_suite import schema_suite
from tests.scoring.logic.test_schema_rule import REASONS
from tests.scoring.logic.test_schema_suite import left_out


@pytest.mark.spec("SC-65")
@pytest.mark.parametrize("file", ["dynamicRef", "ref", "unevaluatedItems", "unevaluatedProperties", "anchor", "defs"])
def test_the_official_tests_of_references_come_out_here_too(file: str) -> None:
    for group in schema_suite()[file]:
        if left_out(file, group):
            with pytest.raises(SchemaFault):
                Schema(group["schema"])
            continue
        schema = Schema(group["schema"])
        for test in group["tests"]:
            assert (schema.fault(test["data"]) is None) == test["valid"], (group["description"], test["description"])


def test_all_the_other_official_tests_come_out_here_too() -> None:
    wrong = [
        (file, group["description"], test["description"])
        for file, groups in schema_suite().items()
        for group in groups
        if not left_out(file, group)
        for test in group["tests"]
        if (Schema(group["schema"]).fault(test["data"]) is None) != test["valid"]
    ]
    assert wrong == []


@pytest.mark.parametrize(("schema", "text", "words"), REASONS)
def test_the_place_and_the_keyword_are_those_of_the_reason(schema: Any, text: str, words: str) -> None:
    broken = Schema(schema).fault(read_value(text))
    assert broken is not None
    assert f'"{broken.keyword}": {json.dumps(broken.asked, ensure_ascii=False)}' in words
    assert (f"at {broken.place} breaks" if broken.place else "The answer breaks") in words


PLACES = [
    ({"items": {"items": {"const": 1}}}, [[1], [1, 2]], "1.1"),
    ({"prefixItems": [{}], "items": {"const": 1}}, [0, 1, 2], "2"),
    ({"additionalProperties": {"const": 1}}, {"a": 1, "b": 2}, "b"),
    ({"unevaluatedProperties": {"const": 1}, "properties": {"a": True}}, {"a": 2, "b": 2}, "b"),
    ({"unevaluatedItems": {"const": 1}, "prefixItems": [True]}, [2, 2], "1"),
    ({"dependentSchemas": {"a": {"properties": {"b": False}}}}, {"a": 1, "b": 2}, "b"),
    ({"allOf": [True, {"properties": {"b": False}}]}, {"b": 2}, "b"),
    ({"$ref": "#/$defs/x", "$defs": {"x": {"properties": {"b": False}}}}, {"b": 2}, "b"),
    ({"if": True, "then": {"properties": {"b": False}}}, {"b": 2}, "b"),
]


@pytest.mark.parametrize(("schema", "value", "place"), PLACES)
def test_the_place_is_the_innermost_one(schema: Any, value: Any, place: str) -> None:
    broken = Schema(schema).fault(value)
    assert broken is not None
    assert broken.place == place


FAULTS = [
    ({"$ref": "http://127.0.0.1:9/x"}, "http://127.0.0.1:9/x points out of the schema, and nothing is ever fetched"),
    ({"$ref": "#/$defs/a"}, "the schema has nothing at #/$defs/a"),
    ({"$ref": "#/allOf/2", "allOf": [{}, {}]}, "the schema has nothing at #/allOf/2"),
    ({"$ref": "#/allOf/x", "allOf": [{}, {}]}, "the schema has nothing at #/allOf/x"),
    ({"$ref": "#a", "$anchor": "b"}, "the schema has nothing at #a"),
    ({"$ref": "#/required", "required": ["a"]}, "what stands at #/required is no schema"),
    ({"$dynamicRef": "#a"}, "the schema has nothing at #a"),
    ({"pattern": "a"}, "pattern is not used here"),
    ({"items": {"patternProperties": {}}}, "patternProperties is not used here"),
    ({"type": "objekt"}, "there is no type objekt"),
    ({"type": ["object", 1]}, "there is no type ['object', 1]"),
    ({"$schema": "http://json-schema.org/draft-07/schema#"}, "only draft 2020-12 is known"),
    (1, "a schema is an object or true or false"),
    ({"not": "a"}, "a schema is an object or true or false"),
]


@pytest.mark.spec("SC-81", "SC-82", "SC-D29")
@pytest.mark.parametrize(("schema", "why"), FAULTS)
def test_what_is_no_schema_of_ours_says_why(schema: Any, why: str) -> None:
    with pytest.raises(SchemaFault) as fault:
        Schema(schema)
    assert str(fault.value) == why


@pytest.mark.parametrize(
    "address", ["https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2020-12/schema#"]
)
def test_the_one_draft_may_be_named(address: str) -> None:
    assert Schema({"$schema": address}).fault(1) is None


def test_references_find_escaped_names_and_places_in_lists() -> None:
    schema = {
        "$defs": {"a/b~c%d": {"const": 1}},
        "allOf": [{"$ref": "#/$defs/a~1b~0c%25d"}, {"$ref": "#/anyOf/1"}],
        "anyOf": [True, {"type": "number"}],
    }
    assert Schema(schema).fault(1) is None
    assert Schema(schema).fault(2) is not None


def test_a_value_is_read_by_the_rules_of_answers() -> None:
    assert read_value(' \u00a0{"a": [1, 2.5, -0.0]}\n') == {"a": [1, 2.5, -0.0]}
    assert read_value('"[[{{"') == "[[{{"
    assert read_value("1" * 400) == int("1" * 400)
    assert read_value(json.dumps(["[{" * 500])) == ["[{" * 500]
    assert read_value("[" * 100 + "]" * 100)
    for text in ("", "{", "NaN", "[Infinity]", "{} {}", "```\n{}\n```"):
        with pytest.raises(NotRead):
            read_value(text)
    for text in ("1" * 401, "1e999", "[-1e999]"):
        with pytest.raises(TooLarge):
            read_value(text)
    for text in ("[" * 101 + "]" * 101, "[" * 5_000 + "]" * 5_000, '{"a":' * 101 + "1" + "}" * 101):
        with pytest.raises(RecursionError):
            read_value(text)


# --- Beside the library that others use

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.5, 1.0, -2.0])
    | st.sampled_from(["", "a", "bb"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=6,
)
types = st.sampled_from(["object", "array", "string", "number", "integer", "boolean", "null"])


def larger(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    named, several = st.dictionaries(st.sampled_from("abc"), inner, max_size=2), st.lists(inner, min_size=1, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": types | st.lists(types, min_size=1, max_size=3, unique=True),
            "properties": named,
            "dependentSchemas": named,
            "additionalProperties": inner,
            "unevaluatedProperties": inner,
            "propertyNames": inner,
            "prefixItems": several,
            "items": inner,
            "contains": inner,
            "unevaluatedItems": inner,
            "allOf": several,
            "anyOf": several,
            "oneOf": several,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
        },
    )


leaves = st.booleans() | st.fixed_dictionaries(
    {},
    optional={
        "type": types,
        "const": values,
        "enum": st.lists(values, min_size=1, max_size=3),
        "minimum": st.integers(-2, 2),
        "exclusiveMaximum": st.integers(-2, 2),
        "multipleOf": st.sampled_from([1, 0.5, 2]),
        "maxLength": st.integers(0, 2),
        "minItems": st.integers(0, 2),
        "uniqueItems": st.booleans(),
        "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
        "maxProperties": st.integers(0, 2),
        "minContains": st.integers(0, 2),
        "maxContains": st.integers(0, 2),
    },
)
schemas = st.recursive(leaves, larger, max_leaves=8)


@pytest.mark.spec("SC-65", "SC-D29")
@settings(max_examples=150, deadline=None)
@given(schemas, values)
def test_any_schema_takes_what_the_library_takes(schema: Any, value: Any) -> None:
    assert (Schema(schema).fault(value) is None) == Draft202012Validator(schema).is_valid(value)
