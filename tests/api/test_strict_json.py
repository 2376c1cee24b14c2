"""The strict reader of JSON: what it takes is what json.loads gives, what it refuses is named with its place."""

import json
import math
from typing import Any

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from core.json_words import WORDS, words_of
from core.limits import LIMITS
from core.strict_json import LARGEST, SMALLEST, Fault, JSONFault, read_json

TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(SMALLEST, LARGEST)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXTS
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner), max_leaves=30)


@pytest.mark.spec("PL-41", "DS-D44")
@settings(deadline=None)
@given(VALUES, st.booleans(), st.sampled_from([None, 2]), st.booleans())
def test_what_json_loads_takes_and_the_rules_allow_comes_back_equal(
    value: Any, ascii_only: bool, indent: int | None, as_bytes: bool
) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    found = read_json(text.encode() if as_bytes else text)
    assert found == json.loads(text)
    assert repr(found) == repr(json.loads(text))  # 1 and 1.0 and True are equal and not the same


def outcome_of(source: str | bytes) -> tuple[JSONFault | None, Any]:
    try:
        return None, read_json(source)
    except JSONFault as fault:
        return fault, None


@given(st.text() | st.text(alphabet='{}[]",:\\u0eE+-.19dDcnulltrfas \n'))
@settings(max_examples=500, deadline=None)
def test_any_text_is_read_or_refused_with_a_place(text: str) -> None:
    fault, found = outcome_of(text)
    if fault is not None:
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= fault.line <= len(lines)
        assert 1 <= fault.column <= len(lines[fault.line - 1]) + 1
    else:
        assert repr(found) == repr(json.loads(text.removeprefix("\ufeff")))


@settings(deadline=None)
@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    fault, found = outcome_of(data)
    assert fault is not None or repr(found) == repr(json.loads(data))


@settings(deadline=None)
@given(st.integers(0, 80), st.sampled_from(["[", '{"a":', '[{"]}":[', '["\\"[",[']))
def test_depth_is_counted_outside_strings_only(levels: int, opening: str) -> None:
    closing = {"[": "]", '{"a":': "}", '[{"]}":[': "]}]", '["\\"[",[': "]]"}[opening]
    text = opening * levels + "0" + closing * levels
    depth = levels * (opening.replace('"]}"', "").replace('"\\"["', "").count("[") + opening.count("{"))
    if depth > LIMITS.json_depth:
        with pytest.raises(JSONFault) as caught:
            read_json(text)
        assert caught.value.fault is Fault.TOO_DEEP
    else:
        read_json(text)


REFUSED = [
    ('{"cost":NaN}', Fault.NOT_A_NUMBER, "NaN", 1, 9),
    ('{"a":[-Infinity]}', Fault.NOT_A_NUMBER, "-Infinity", 1, 7),
    ('{"cost":1e999}', Fault.NUMBER_TOO_LARGE, "1e999", 1, 9),
    ('{"a":"1e999",\n"b":-1E+0999}', Fault.NUMBER_TOO_LARGE, "-1E+0999", 2, 5),
    ('{"n":' + "1" * 5000 + "}", Fault.NUMBER_TOO_LARGE, "1" * 40 + "…", 1, 6),
    (f"[0.{'9' * 30}, {LARGEST + 1}]", Fault.NUMBER_TOO_LARGE, str(LARGEST + 1), 1, 36),
    (f"[{SMALLEST - 1}]", Fault.NUMBER_TOO_LARGE, str(SMALLEST - 1), 1, 2),
    ("9" * 400 + ".5", Fault.NUMBER_TOO_LARGE, "9" * 40 + "…", 1, 1),
    ("[" * 5000 + "]" * 5000, Fault.TOO_DEEP, str(LIMITS.json_depth), 1, LIMITS.json_depth + 1),
    ("[" * 100_000, Fault.TOO_DEEP, str(LIMITS.json_depth), 1, LIMITS.json_depth + 1),
    ('{"a":' * 100_000, Fault.TOO_DEEP, str(LIMITS.json_depth), 1, LIMITS.json_depth * 5 + 1),
    ('{"a":1,"a":2}', Fault.KEY_TWICE, '"a"', 1, 8),
    ('{"a":1,\n "\\u0061":2}', Fault.KEY_TWICE, '"a"', 2, 2),
    ('[{"x":{"a":"{\\"a\\":1"}},{"é":1, "é":2}]', Fault.KEY_TWICE, '"é"', 1, 33),
    ('{"a":"\\u0000"}', Fault.NUL, "", 1, 7),
    ('{"\\u0000":1}', Fault.NUL, "", 1, 3),
    ('{"a":"x\0"}', Fault.CONTROL_CHARACTER, "", 1, 8),
    ('{"a":"\\ud83d"}', Fault.HALF_PAIR, "", 1, 7),
    ('{"a":"\\ud83d\\u0041"}', Fault.HALF_PAIR, "", 1, 7),
    ('{"\\udc00":1}', Fault.HALF_PAIR, "", 1, 3),
    ('["\ud800"]', Fault.HALF_PAIR, "", 1, 3),
    ('{"input":"first\nsecond"}', Fault.LINE_ENDS_IN_STRING, "", 1, 16),
    ('{"input":"first\r\nsecond"}', Fault.LINE_ENDS_IN_STRING, "", 1, 16),
    ('{"input":"first', Fault.STRING_NEVER_ENDS, "", 1, 10),
    ('"\\x"', Fault.BAD_ESCAPE, "", 1, 2),
    ('"\\u12"', Fault.BAD_ESCAPE, "", 1, 3),
    ("{a:1}", Fault.KEY_EXPECTED, "", 1, 2),
    ('{"a" 1}', Fault.COLON_EXPECTED, "", 1, 6),
    ("[1 2]", Fault.COMMA_EXPECTED, "", 1, 4),
    ('{"a":1,\n}', Fault.COMMA_AT_END, "", 1, 7),
    ("[1, ]", Fault.COMMA_AT_END, "", 1, 3),
    ("[1,,2]", Fault.VALUE_EXPECTED, "", 1, 4),
    ("tru", Fault.VALUE_EXPECTED, "", 1, 1),
    ("[1]\n x", Fault.MORE_AFTER_END, "", 2, 2),
    ("", Fault.EMPTY, "", 1, 1),
    (" \n ", Fault.EMPTY, "", 1, 1),
    (b'{"a":"caf\xe9"}', Fault.NOT_UTF8, "", 1, 10),
    ('{"a":1}'.encode("utf-16"), Fault.NOT_UTF8, "", 1, 1),
]


@pytest.mark.spec("PL-41", "DS-D22", "DS-D44")
@pytest.mark.parametrize(("text", "fault", "what", "line", "column"), REFUSED, ids=lambda value: repr(value)[:30])
def test_each_refusal_names_what_and_where(text: str | bytes, fault: Fault, what: str, line: int, column: int) -> None:
    with pytest.raises(JSONFault) as caught:
        read_json(text)
    found = caught.value
    assert (found.fault, found.what, found.line, found.column) == (fault, what, line, column)
    assert str(found).startswith(f"line {line}, column {column}: ")


def test_one_byte_order_mark_is_dropped() -> None:
    assert read_json(b'\xef\xbb\xbf{"a":1}') == read_json('\ufeff{"a":1}') == {"a": 1}


def test_the_largest_numbers_and_the_smallest_come_back() -> None:
    assert read_json(f"[{LARGEST},{SMALLEST},1.7976931348623157e308,5e-324,1e-999]") == [
        LARGEST,
        SMALLEST,
        1.7976931348623157e308,
        5e-324,
        0.0,
    ]


def test_escapes_of_whole_pairs_and_of_backslashes_are_good() -> None:
    assert read_json(r'["\ud83d\ude00", "\\u0000", "\\ud83d", "\\\\"]') == ["😀", "\\u0000", "\\ud83d", "\\\\"]


def test_a_key_twice_in_a_large_text_is_refused_without_looking_for_its_place() -> None:
    text = "[" + ",".join('{"a":1,"b":2}' for _ in range(60_000)) + ',{"k":1,"k":2}]'
    with pytest.raises(JSONFault, match=r'^the key "k" stands twice in one object$'):
        read_json(text)


def test_the_words_are_the_same_in_both_places_and_without_the_line_on_wish() -> None:
    assert {fault: fault.value for fault in Fault} == WORDS
    with translation.override("en"):
        fault = JSONFault(Fault.NOT_A_NUMBER, line=3, column=4, what="NaN")
        assert words_of(fault) == str(fault) == "line 3, column 4: NaN is no number that JSON has"
        assert words_of(fault, with_line=False) == "column 4: NaN is no number that JSON has"
        assert words_of(JSONFault(Fault.EMPTY, line=0)) == Fault.EMPTY.value


def test_a_good_float_is_never_an_infinity() -> None:
    assert not math.isinf(read_json("1e308"))


MANY = 400_000
LARGE = {
    "numbers, then an infinity": ("[" + "1," * MANY + "1e999]", Fault.NUMBER_TOO_LARGE),
    "strings that hold the infinity, then it": ('["' + "1e999," * MANY + '",1e999]', Fault.NUMBER_TOO_LARGE),
    "strings, then NaN": ("[" + '"a",' * MANY + "NaN]", Fault.NOT_A_NUMBER),
    "pairs, then a half": ('["' + "\\ud83d\\ude00" * MANY + '\\ud800"]', Fault.HALF_PAIR),
    "flat lists, then a deep one": ("[" + "[]," * MANY + "[" * 40 + "]" * 41, Fault.TOO_DEEP),
    "lines, then a fault": ("[" + "1,\n" * MANY + "x]", Fault.VALUE_EXPECTED),
    "a number of many digits": ("1" * 2 * MANY, Fault.NUMBER_TOO_LARGE),
    "backslashes": ('"' + "\\" * (2 * MANY + 1) + '"', Fault.STRING_NEVER_ENDS),
}


@pytest.mark.spec("PL-41")
@pytest.mark.parametrize(("text", "fault"), LARGE.values(), ids=LARGE)
def test_a_large_text_with_its_fault_at_the_end_is_refused_with_the_place(text: str, fault: Fault) -> None:
    found, _value = outcome_of(text)
    assert found is not None
    assert found.fault is fault
    assert (found.line, found.column) != (0, 0)
