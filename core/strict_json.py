"""The one strict reader of JSON: bodies of the API, lines of an import, cells of a CSV, replies of a judge (BC-10).

It takes what RFC 8259 allows and every database of ours can hold, and refuses the rest with the place and plain words:
bytes that are not UTF-8, `NaN` and `Infinity`, numbers beyond a double or beyond 64 bits, a key twice in one object,
the character U+0000 and half surrogate pairs, nesting deeper than the limit. One byte-order mark is dropped (BC-2).

Speed comes from the C scanner of the standard library: what it cannot see is looked for with a few passes over the
bytes that stay in C too. Only a refusal costs more, because it looks for its place.
"""

import json
import re
from collections.abc import Iterable
from enum import StrEnum
from itertools import accumulate, islice
from typing import Any, NoReturn

from core.limits import LIMITS

# What a signed 64-bit column holds. Larger whole numbers are ids in disguise, lose digits in most readers and belong
# into a string.
SMALLEST, LARGEST = -(2**63), 2**63 - 1
DIGITS_OF_LARGEST = 19
# Looking for the place of a key that stands twice takes about a second for a million characters.
SEARCHED_CHARACTERS = 500_000


class Fault(StrEnum):
    """The kinds of refusal; the values are the words, and what stands in braces is `JSONFault.what`."""

    NOT_UTF8 = "the text is not UTF-8; save or send it as UTF-8"
    EMPTY = "nothing is here; JSON was expected"
    LINE_ENDS_IN_STRING = "line ends inside a string; write \\n"
    CONTROL_CHARACTER = "a control character stands inside a string; write it as \\u and four digits"
    STRING_NEVER_ENDS = "a string begins here and never ends"
    BAD_ESCAPE = "this is no escape that JSON has; a backslash itself is written \\\\"
    KEY_EXPECTED = "a key in double quotes was expected"
    COLON_EXPECTED = "a colon was expected after the key"
    COMMA_EXPECTED = "a comma or the closing bracket was expected"
    COMMA_AT_END = "a comma before a closing bracket is one too many"
    VALUE_EXPECTED = "a value was expected"
    MORE_AFTER_END = "something stands after the end of the value"
    NOT_A_NUMBER = "{} is no number that JSON has"
    NUMBER_TOO_LARGE = "the number {} is too large; write it as a string"
    KEY_TWICE = "the key {} stands twice in one object"
    NUL = "the character \\u0000 cannot be stored"
    HALF_PAIR = "half of a surrogate pair stands alone"
    TOO_DEEP = "the nesting is deeper than {} levels"


class JSONFault(ValueError):
    """Why a text was refused: the kind, what it is about, and where (line and column from 1, in characters).

    `what` is a key or a number as written, shortened; `line` is 0 where the place is not known. `str()` is plain
    English; `core.json_words` has the words in other languages.
    """

    def __init__(self, fault: Fault, *, line: int = 1, column: int = 1, what: str = "") -> None:
        self.fault = fault
        self.line = line
        self.column = column
        self.what = what if len(what) <= 40 else what[:40] + "…"
        place = f"line {line}, column {column}: " if line else ""
        super().__init__(place + fault.value.replace("{}", self.what))


class _Refused(Exception):
    """Raised by a hook of the scanner, which knows what but not where."""

    def __init__(self, fault: Fault, literal: str) -> None:
        self.fault = fault
        self.literal = literal


def read_json(source: bytes | str, *, depth: int = LIMITS.json_depth) -> Any:
    """The value of a JSON text; whatever `json.loads` gives for it.

    Whole numbers come back as `int` (64 bits signed), others as `float`. Raises `JSONFault`, never anything else:
    no depth of nesting and no length of a number reaches Python's own limits.
    """
    text, data = _decoded(source)
    if not text or text.isspace():
        raise JSONFault(Fault.EMPTY)
    _refuse_depth(text, data, depth)
    if b"\\u" in data:
        _refuse_escapes(text)
    try:
        return (_WITH_CARE if _has_long_numbers(data) else _QUICK).decode(text)
    except json.JSONDecodeError as error:
        raise _in_plain_words(text, error) from None
    except _Refused as refused:
        raise _located(text, refused) from None


def _decoded(source: bytes | str) -> tuple[str, bytes]:
    if isinstance(source, str):
        text = source.removeprefix("\ufeff")
        try:
            return text, text.encode()
        except UnicodeEncodeError as error:
            raise _fault_at(text, error.start, Fault.HALF_PAIR) from None
    data = bytes(source).removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode(), data
    except UnicodeDecodeError as error:
        before = data[: error.start].decode()
        raise _fault_at(before, len(before), Fault.NOT_UTF8) from None


# --- What the scanner hands over


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Refused(Fault.KEY_TWICE, _first_repeated(name for name, _value in pairs))
    return found


def _first_repeated(names: Iterable[str]) -> str:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""


def _float(literal: str) -> float:
    number = float(literal)
    if number - number != 0:  # only an infinity differs from itself
        raise _Refused(Fault.NUMBER_TOO_LARGE, literal)
    return number


def _int(literal: str) -> int:
    # The length is asked first: Python refuses to convert thousands of digits, and is slow before that.
    if len(literal) < DIGITS_OF_LARGEST:
        return int(literal)
    if len(literal) > DIGITS_OF_LARGEST + 1 or not SMALLEST <= (number := int(literal)) <= LARGEST:
        raise _Refused(Fault.NUMBER_TOO_LARGE, literal)
    return number


def _constant(literal: str) -> NoReturn:
    raise _Refused(Fault.NOT_A_NUMBER, literal)


_QUICK = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
_WITH_CARE = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_int=_int, parse_constant=_constant)


# --- What the scanner does not see

_ALIKE = bytes.maketrans(b"123456789E", b"000000000e")


def _has_long_numbers(data: bytes) -> bool:
    """Whether something could be a number beyond our bounds: 19 digits in a row, or an exponent of three.

    Asked first because a hook for each number makes a text of numbers four times slower to read.
    """
    alike = data.translate(_ALIKE)
    return b"0" * DIGITS_OF_LARGEST in alike or b"e000" in alike or b"e+000" in alike


_BRACKETS_AND_QUOTES = b'[]{}"'
_NOTHING_ELSE = bytes(byte for byte in range(256) if byte not in _BRACKETS_AND_QUOTES)
_AS_SQUARE = bytes.maketrans(b"{}", b"[]")
_STEP = {ord("["): 1, ord("]"): -1}


def _refuse_depth(text: str, data: bytes, depth: int) -> None:
    """Refuse nesting deeper than `depth`, before the scanner recurses into it.

    Only brackets outside strings are kept; then the innermost pairs are taken away, once a level. What is left after
    `depth` rounds is too deep, or a fault that the scanner names better.
    """
    if data.count(b"[") + data.count(b"{") <= depth:
        return
    if b"\\" in data:
        data = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    kept = data.translate(None, delete=_NOTHING_ELSE)
    brackets = b"".join(kept.split(b'"')[::2]).translate(_AS_SQUARE)
    left = brackets
    for _level in range(depth):
        shorter = left.replace(b"[]", b"")
        if len(shorter) == len(left):
            break
        left = shorter
    if left:
        levels = enumerate(accumulate(map(_STEP.__getitem__, brackets)))
        index = next((index for index, level in levels if level > depth), None)
        if index is not None:
            raise _fault_at(text, _place_of_bracket(text, index), Fault.TOO_DEEP, str(depth))


def _place_of_bracket(text: str, index: int) -> int:
    """The place of the bracket with this index among those outside strings."""
    start = 0
    for number, part in enumerate(_without_escapes(text).split('"')):
        if number % 2 == 0:
            brackets = sum(map(part.count, "[]{}"))
            if index < brackets:
                return start + next(islice(_BRACKET.finditer(part), index, None)).start()
            index -= brackets
        start += len(part) + 1
    return 0


_BRACKET = re.compile(r"[\[\]{}]")
_PERHAPS_WRONG = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")
_NUL_OR_HALF_PAIR = re.compile(
    r"\\u(?:0000|[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F]))"
    r"|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]"
)


def _refuse_escapes(text: str) -> None:
    """Refuse the escape of U+0000, and of half a pair; `\\\\u0000` is a backslash and five letters."""
    if not _PERHAPS_WRONG.search(text):
        return
    wrong = _NUL_OR_HALF_PAIR.search(text.replace("\\\\", "__") if "\\\\" in text else text)
    if wrong is not None:
        raise _fault_at(text, wrong.start(), Fault.NUL if wrong[0] == "\\u0000" else Fault.HALF_PAIR)


def _without_escapes(text: str) -> str:
    """The text with every place kept, in which a quote always begins or ends a string."""
    return text.replace("\\\\", "__").replace('\\"', "__")


# --- Where it is

_WORDS = {
    "Invalid \\escape: ": Fault.BAD_ESCAPE,
    "Invalid \\escape": Fault.BAD_ESCAPE,
    "Invalid \\uXXXX escape": Fault.BAD_ESCAPE,
    "Unterminated string starting at": Fault.STRING_NEVER_ENDS,
    "Expecting property name enclosed in double quotes": Fault.KEY_EXPECTED,
    "Expecting ':' delimiter": Fault.COLON_EXPECTED,
    "Expecting ',' delimiter": Fault.COMMA_EXPECTED,
    "Illegal trailing comma before end of object": Fault.COMMA_AT_END,
    "Illegal trailing comma before end of array": Fault.COMMA_AT_END,
    "Extra data": Fault.MORE_AFTER_END,
}


def _in_plain_words(text: str, error: json.JSONDecodeError) -> JSONFault:
    if error.msg.startswith("Invalid control character"):
        ends = text[error.pos : error.pos + 1] in ("\n", "\r")
        return _fault_at(text, error.pos, Fault.LINE_ENDS_IN_STRING if ends else Fault.CONTROL_CHARACTER)
    fault = _WORDS.get(error.msg, Fault.VALUE_EXPECTED)
    before = text[: error.pos].rstrip()
    if fault in (Fault.VALUE_EXPECTED, Fault.KEY_EXPECTED) and before.endswith(","):
        # Python 3.13 names this itself; older ones say that a value or a key was expected.
        after = text[error.pos :].lstrip()[:1]
        if after and after in "]}":
            return _fault_at(text, len(before) - 1, Fault.COMMA_AT_END)
    return _fault_at(text, error.pos, fault)


def _located(text: str, refused: _Refused) -> JSONFault:
    if refused.fault is Fault.KEY_TWICE:
        what = json.dumps(refused.literal, ensure_ascii=False)
        found = _second_key(text) if len(text) <= SEARCHED_CHARACTERS else None
        return JSONFault(refused.fault, line=0, what=what) if found is None else _fault_at(text, *found)
    return _fault_at(text, _place_of_number(text, refused.literal), refused.fault, refused.literal)


def _place_of_number(text: str, literal: str) -> int:
    """The first place outside strings where the number stands as a whole; quotes before it are counted as one goes."""
    plain = _without_escapes(text)
    place, counted, quotes = -1, 0, 0
    while (place := plain.find(literal, place + 1)) >= 0:
        quotes += plain.count('"', counted, place)
        counted = place
        if (
            quotes % 2 == 0
            and not _in_number(plain[place - 1 : place])
            and not _in_number(plain[place + len(literal) :][:1])
        ):
            return place
    return 0


def _in_number(character: str) -> bool:
    return bool(character) and character in "0123456789.eE+-"


_KEY_OR_BRACKET = re.compile(r'"[^"]*"(?P<colon>\s*:)?|[\[\]{}]')


def _second_key(text: str) -> tuple[int, Fault, str] | None:
    """The place and the name of the first key that its object has already."""
    seen: list[set[str]] = []
    for match in _KEY_OR_BRACKET.finditer(_without_escapes(text)):
        mark = match[0]
        if mark in ("{", "["):
            seen.append(set())
        elif mark in ("}", "]"):
            seen.pop()
        elif match["colon"]:
            written = text[match.start() : match.start("colon")]
            key = json.loads(written)
            if key in seen[-1]:
                return match.start(), Fault.KEY_TWICE, json.dumps(key, ensure_ascii=False)
            seen[-1].add(key)
    return None


def _fault_at(text: str, place: int, fault: Fault, what: str = "") -> JSONFault:
    before = text[:place]
    ended = before.count("\n") + before.count("\r") - before.count("\r\n")
    start = max(before.rfind("\n"), before.rfind("\r")) + 1
    return JSONFault(fault, line=ended + 1, column=place - start + 1, what=what)
