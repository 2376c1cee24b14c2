"""Schemas without the process around them: what they find, and what they do not take (SC-65, SC-D29, BC-10)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from scoring.logic.schema_circles import has_circles, keywords_of
from scoring.logic.schemas import NotRead, Schema, TooLarge, read_value
from tests.scoring.logic.test_schema_rule import REASONS


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


CIRCLES = [
    {"$ref": "#"},
    {"allOf": [{"$ref": "#"}]},
    {"properties": {"a": {"not": {"$ref": "#/properties/a"}}}},
    {"$defs": {"a": {"if": {"$ref": "#/$defs/b"}}, "b": {"dependentSchemas": {"x": {"$ref": "#/$defs/a"}}}}},
    {"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"anyOf": [True, {"else": {"$ref": "#/$defs/a"}}]}}},
]
NO_CIRCLES = [
    True,
    {"properties": {"a": {"$ref": "#"}}},
    {"items": {"allOf": [{"$ref": "#"}]}},
    {"allOf": [{"properties": {"x": {"$ref": "#"}}}]},
    {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}], "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}},
    {"const": {"$ref": "#"}, "enum": [{"allOf": [{"$ref": "#"}]}]},
]


@pytest.mark.spec("SC-D29")
@pytest.mark.parametrize("schema", CIRCLES)
def test_a_schema_that_leads_back_to_itself_on_the_same_value_is_not_followed(schema: Any) -> None:
    assert has_circles(schema)
    with pytest.raises(RecursionError):
        Schema(schema).fault({})


@pytest.mark.spec("SC-D29", "BC-32")
@pytest.mark.parametrize("schema", NO_CIRCLES)
def test_one_that_goes_on_in_the_value_is(schema: Any) -> None:
    assert not has_circles(schema)


def test_a_keyword_is_none_where_it_is_a_name_or_data() -> None:
    schema = {"properties": {"pattern": {"type": "string"}}, "const": {"items": 1}, "allOf": [{"not": {"title": "x"}}]}
    assert list(keywords_of(schema)) == ["properties", "type", "const", "allOf", "not", "title"]


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
