"""Lines and keys of a JSON text that a person wrote (DS-D27)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.json_places import last_key_before, line_of

TEXT = """{
  "input": "q",
  "checks": [
    {"type": "contains", "value": "a,{}[]:\\"\\\\"},
    {
      "type": "judge",
      "criterion": ""
    }
  ],
  "note": null
}"""


@pytest.mark.spec("DS-D27")
@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("", 1),
        ("input", 2),
        ("checks", 3),
        ("checks.0.value", 4),
        ("checks.1", 5),
        ("checks.1.criterion", 7),
        ("checks.1.missing", 5),
        ("checks.7", 3),
        ("note", 10),
        ("tags", 1),
    ],
)
def test_a_value_is_found_on_its_line(path: str, line: int) -> None:
    assert line_of(TEXT, path) == line


def test_a_key_with_a_dot_is_found() -> None:
    assert line_of('{\n"args": {"x": 1,\n"a.b": 2}}', "args.a.b") == 3


@given(
    st.recursive(
        st.none() | st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_any_json_is_walked_to_its_end(value: Any) -> None:
    assert line_of(json.dumps({"first": value, "last": 1}, indent=0).replace("\\n", "n"), "last") >= 2


def test_the_key_before_a_fault_is_named() -> None:
    assert last_key_before('{"input": "q",\n "checks": [{"type" 1}]}', 2, 20, ("input", "checks")) == "checks"
    assert last_key_before("[1", 1, 3, ("input",)) == ""
    assert last_key_before('{"input": 1', 9, 1, ("input",)) == "input"
