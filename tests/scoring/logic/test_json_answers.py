"""Answers that are JSON and paths into them (SC-74, SC-D24 to SC-D26, BC-10)."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.logic.json_answers import Unread, read_answer, text_of
from scoring.logic.paths import NOTHING, read_path, value_at
from tests.scoring.logic.graded import found, said

LIMIT = 100_000
DEEPEST = 100


@pytest.mark.spec("SC-D24")
@pytest.mark.parametrize(
    ("path", "segments"),
    [
        ("", ()),
        ("items.0.name", ("items", "0", "name")),
        (r"a\.b", ("a.b",)),
        (r"a\\.b", ("a\\", "b")),
        (r"a\\\.b", ("a\\.b",)),
        (r"a\b", (r"a\b",)),
        ("a\\", ("a\\",)),
        ("a..b", ("a", "", "b")),
        (".", ("", "")),
        ("a\nb.c", ("a\nb", "c")),
    ],
)
def test_a_backslash_makes_a_dot_and_itself_plain(path: str, segments: tuple[str, ...]) -> None:
    assert read_path(path) == segments


@pytest.mark.spec("SC-D24")
@given(st.lists(st.text(max_size=5), min_size=1, max_size=5).filter(lambda one: one != [""]))
def test_every_list_of_keys_can_be_written_as_a_path(keys: list[str]) -> None:
    path = ".".join(key.replace("\\", "\\\\").replace(".", "\\.") for key in keys)
    assert read_path(path) == tuple(keys)


@pytest.mark.spec("SC-74", "SC-D24")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("items.0.name", "kettle"),
        ("items.1", "second"),
        ("items.01", "second"),
        ("items.2", NOTHING),
        ("items.-1", NOTHING),
        ("items.x", NOTHING),
        ("items.²", NOTHING),
        ("items.9999999999999999999999", NOTHING),
        ("items." + "9" * 5_000, NOTHING),
        ("0", "a key of digits"),
        ("items.0.name.0", NOTHING),
        ("n", None),
        ("n.x", NOTHING),
        ("nowhere", NOTHING),
        ("", NOTHING),
    ],
)
def test_a_segment_is_a_key_in_an_object_and_a_position_in_a_list(path: str, value: Any) -> None:
    inside = {"items": [{"name": "kettle"}, "second"], "0": "a key of digits", "n": None}
    assert value_at(inside, read_path(path)) == (inside if path == "" else value)


@pytest.mark.spec("SC-D26")
@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('"a \\"b\\" é"', 'a "b" é'),
        ("1.50", "1.50"),
        ("1E+2", "1E+2"),
        ("-0", "-0"),
        ("1e999", "1e999"),
        ("12345678901234567890123", "12345678901234567890123"),
        ("true", "true"),
        ("false", "false"),
        ("null", "null"),
        ('{ "b" : 1.0 , "a" : [ 1e2 , "é" , null ] }', '{"b":1.0,"a":[1e2,"é",null]}'),
        ('["a\\nb"]', '["a\\nb"]'),
        ('"1.50"', "1.50"),
        ('["1.50"]', '["1.50"]'),
        ("{}", "{}"),
        ("[]", "[]"),
    ],
)
def test_a_value_has_the_text_that_the_answer_gives_it(written: str, text: str) -> None:
    assert text_of(read_answer(written)) == text
    finding = found({"type": "equals", "path": "v", "value": text, "case_sensitive": True}, f'{{"v":{written}}}')
    assert finding.verdict == "pass"


@pytest.mark.spec("SC-D25")
def test_of_a_repeated_key_the_last_counts() -> None:
    assert found({"type": "equals", "path": "a", "value": "2"}, '{"a":1,"a":2}').verdict == "pass"


REFUSED = [
    ('```json\n{"a": 1}\n```', "The answer is not JSON: it stands in a code fence"),
    (' ~~~\n{"a": 1}\n~~~', "The answer is not JSON: it stands in a code fence"),
    ("", "The answer is not JSON: it is empty"),
    (" \n", "The answer is not JSON: it is empty"),
    ('{"a": 1} {"b": 2}', "The answer is not JSON: line 1, column 10"),
    ("\n\n {a: 1}", "The answer is not JSON: line 3, column 3"),
    ('{"a": 1} // no', "The answer is not JSON: line 1, column 10"),
    ("NaN", "The answer is not JSON: NaN is no number that JSON has"),
    ('{"a": -Infinity}', "The answer is not JSON: -Infinity is no number that JSON has"),
    ("Here is it: {}", "The answer is not JSON: line 1, column 1"),
    ('{"a": 1,}', "The answer is not JSON: line 1, column 9"),
    ("{'a': 1}", "The answer is not JSON: line 1, column 2"),
    ('{"a": ```}', "The answer is not JSON: line 1, column 7"),
]


@pytest.mark.spec("SC-D25", "BC-10")
@pytest.mark.parametrize(("answer", "words"), REFUSED)
@pytest.mark.parametrize("kind", ["contains", "not_contains", "equals", "length", "regex", "json_schema"])
def test_what_is_no_json_fails_every_check_that_reads_it(kind: str, answer: str, words: str) -> None:
    more = {"length": {"unit": "words", "min": 0}, "json_schema": {"schema": {}}}.get(kind, {"value": "a"})
    finding = found({"type": kind, "path": "a", **more}, answer)
    assert (finding.verdict, said(finding)) == ("fail", words)


@pytest.mark.spec("SC-D25")
@pytest.mark.parametrize("kind", ["contains", "not_contains", "equals", "length", "regex", "json_schema"])
def test_no_value_at_the_path_fails_every_check(kind: str) -> None:
    more = {"length": {"unit": "words", "min": 0}, "json_schema": {"schema": {}}}.get(kind, {"value": "a"})
    finding = found({"type": kind, "path": "a.0", **more}, '{"a": {}}')
    assert (finding.verdict, said(finding)) == ("fail", "The answer has nothing at a.0")


@pytest.mark.spec("SC-D25", "BC-10")
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("[" + " " * LIMIT + "]", "The answer is too long to read as JSON"),
        ("[" * 5_000 + "]" * 5_000, "The answer nests too deep to read as JSON"),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), "The answer nests too deep to read as JSON"),
        ('{"a":' * 300 + "1" + "}" * 300, "The answer nests too deep to read as JSON"),
    ],
)
def test_what_is_too_long_or_too_deep_is_an_error(answer: str, words: str) -> None:
    finding = found({"type": "not_contains", "path": "a", "value": "x"}, answer)
    assert (finding.verdict, said(finding)) == ("error", words)


@pytest.mark.spec("SC-D25")
def test_just_short_and_shallow_enough_is_read() -> None:
    longest = '{"a":"b"' + " " * (LIMIT - 9) + "}"
    assert len(longest) == LIMIT
    assert found({"type": "equals", "path": "a", "value": "b"}, longest).verdict == "pass"
    assert not isinstance(read_answer("[" * DEEPEST + "]" * DEEPEST), Unread)
    assert not isinstance(read_answer(json.dumps(["[{" * 500])), Unread)


@pytest.mark.spec("BC-10")
def test_a_runaway_number_is_text_like_any_other() -> None:
    digits = "1" * 5_000
    assert found({"type": "equals", "path": "n", "value": digits}, f'{{"n":{digits}}}').verdict == "pass"


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=15,
)


@pytest.mark.spec("SC-D26")
@given(json_values.filter(lambda value: not isinstance(value, str)))
def test_the_text_of_a_value_is_its_compact_json(value: Any) -> None:
    assert text_of(read_answer(json.dumps(value, indent=2))) == json.dumps(
        value, ensure_ascii=False, separators=(",", ":")
    )
