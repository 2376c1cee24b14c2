"""Schemas that are refused or lead to themselves, and values that Unicode does not have (SC-D29, BC-10)."""

from typing import Any

import pytest

from scoring.logic.schema_circles import has_circles
from scoring.logic.schemas import Schema, SchemaFault

pytestmark = pytest.mark.spec("SC-D29")


@pytest.mark.parametrize(
    "schema",
    [
        {"items": {"$ref": "#/items"}},
        {"const": 1, "properties": {"a": {"not": {"$ref": "#/properties/a"}}}},
        {"properties": {"const": {"not": {"$ref": "#/properties/const"}}}},
    ],
)
def test_a_circle_is_found_wherever_it_is(schema: Any) -> None:
    assert has_circles(schema)


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "only draft 2020-12 is known"),
        ({"$ref": "https://example.org/x"}, "points out of the schema, and nothing is ever fetched"),
        ({"type": 5}, "5 is not valid under any of"),
    ],
)
def test_a_schema_that_is_not_used_here_says_why_in_one_line(schema: Any, words: str) -> None:
    with pytest.raises(SchemaFault) as refused:
        Schema(schema)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.spec("BC-10")
def test_half_of_a_pair_is_compared_at_any_depth() -> None:
    schema = Schema({"items": {"properties": {"a": {"const": "b"}}}})
    broken = schema.fault([{"a": "b"}, {"x": 1, "a": "\ud800"}])
    assert broken is not None
    assert broken.place == "1.a"
    assert schema.fault([{"x\ud800": 1, "a": "b"}]) is None
    assert Schema({"const": "?"}).fault("\ud800") is None


def test_a_format_rules_nothing_out() -> None:
    assert Schema({"format": "email"}).fault("nobody") is None


@pytest.mark.parametrize("keyword", ["items", "unevaluatedItems"])
def test_what_is_false_for_every_item_breaks_its_own_keyword(keyword: str) -> None:
    broken = Schema({keyword: False}).fault([1])
    assert broken is not None
    assert (broken.keyword, broken.asked) == (keyword, False)
