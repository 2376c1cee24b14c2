"""Rules that a criterion of the judge could be instead: read from its words alone, without a model (SC-126 to SC-128).

The forms of words and the rules they stand for are those of SC-D50.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from core.hidden_pattern import HIDDEN
from core.json_values import same_json
from core.limits import LIMITS
from scoring.logic.settings import Json


class Kind(StrEnum):
    """What a rule could check; at most one suggestion of each is made."""

    LENGTH = "length"
    JSON = "json"
    BEGINNING = "beginning"
    BULLETS = "bullets"


@dataclass(frozen=True)
class Suggestion:
    """A default check that would check what the criterion asks."""

    kind: Kind
    check: Json
    opening: str = field(default="", compare=False)  # the words that the pattern of an opening stands for


NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
# Not the end of a longer number: "1,000", "twenty-one", "a hundred twenty".
_APART = r"(?<![\w.,-])(?<!hundred\s)(?<!thousand\s)(?<!hundred\sand\s)(?<!twenty\s)"
_N = rf"{_APART}(\d+|{'|'.join(sorted(NUMBER_WORDS, key=len, reverse=True))})"
_UNIT = r"\s+(words?|characters?)\b"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text.replace(" ", r"\s+"), re.IGNORECASE)


Bounds = dict[str, int]
# Leftmost wins: "no more than" begins before the "more than" inside it.
LENGTHS: tuple[tuple[re.Pattern[str], Callable[[int, int], Bounds]], ...] = tuple(
    (_pattern(words), bounds)
    for words, bounds in (
        (rf"\b(?:at most|no more than|up to|maximum(?: of)?) {_N}{_UNIT}", lambda n, _m: {"max": n}),
        (rf"{_N}{_UNIT} or (?:fewer|less)\b", lambda n, _m: {"max": n}),
        (rf"\b(?:under|fewer than|less than|below) {_N}{_UNIT}", lambda n, _m: {"max": n - 1}),
        (rf"\b(?:at least|no fewer than|no less than|minimum(?: of)?) {_N}{_UNIT}", lambda n, _m: {"min": n}),
        (rf"{_N}{_UNIT} or more\b", lambda n, _m: {"min": n}),
        (rf"\b(?:more than|over) {_N}{_UNIT}", lambda n, _m: {"min": n + 1}),
        (rf"\bbetween {_N} and {_N}{_UNIT}", lambda n, m: {"min": n, "max": m}),
        (rf"\bexactly {_N}{_UNIT}", lambda n, _m: {"min": n, "max": n}),
    )
)
JSON_FORMS: tuple[tuple[re.Pattern[str], Json], ...] = (
    (_pattern(r"\bJSON object\b"), {"type": "object"}),
    (_pattern(r"\bJSON (?:array|list)\b"), {"type": "array"}),
    (_pattern(r"\b(?:valid|is|parses as) JSON\b"), {}),
)
QUOTATIONS = (
    '""',
    "“”",
    "„“",
    "„”",
    "””",
    "«»",
    "»«",
    "‹›",
    "''",
    "‘’",
    "‚‘",
    "‚’",
    "’’",
    "「」",
    "『』",
    "``",
    "＂＂",
)
BEGINNING = tuple(
    re.compile(
        rf"\b(?:starts?|begins?|opens?)\s+with\s*{re.escape(opening)}([^\n]+?){re.escape(closing)}(?!\w)", re.IGNORECASE
    )
    for opening, closing in map(tuple, QUOTATIONS)
)
BULLETS = _pattern(r"\b(?:bullet(?:ed)? lists?|bullet points?)\b")

SENTENCE_END = re.compile(r"[.!?…](?=[\s\"'”’)\]]|$)|\n")
DENIED = re.compile(
    r"\b(?:not|cannot|never|without|avoid\w*)\b|n['’]t\b|\bno\b(?!\s+(?:more|fewer|less)\s+than\b)", re.IGNORECASE
)


def suggested_rules(criterion: str, default_checks: Iterable[Json] = ()) -> tuple[Suggestion, ...]:
    """The rules that could check what the criterion asks, one of each kind; none that is there already (SC-D51)."""
    there = list(default_checks)
    found = (_length(criterion), _json(criterion), _beginning(criterion), _bullets(criterion))
    return tuple(one for one in found if one and not any(same_json(one.check, check) for check in there))


def _length(text: str) -> Suggestion | None:
    """The first length; a second one of the same unit that gives the other bound belongs to it."""
    check: Json | None = None
    for bounds, unit in _lengths(text):
        if check is None:
            check = {"type": "length", **bounds, "unit": unit}
        elif check["unit"] == unit and not check.keys() & bounds.keys() and _fits({**check, **bounds}):
            check |= bounds
    return Suggestion(Kind.LENGTH, check) if check else None


def _lengths(text: str) -> Iterator[tuple[Bounds, str]]:
    matches = [(match, bounds) for pattern, bounds in LENGTHS for match in _asserted(pattern, text)]
    end = 0
    for match, bounds_of in sorted(matches, key=lambda pair: pair[0].start()):
        if match.start() < end:
            continue
        end = match.end()
        *numbers, unit = match.groups()
        first, last = _number(numbers[0]), _number(numbers[-1])
        bounds = bounds_of(first, last)
        if _fits(bounds):
            yield bounds, f"{unit.lower().rstrip('s')}s"


def _fits(bounds: Json) -> bool:
    """Whether a length check may say so (SC-D30)."""
    least, most = bounds.get("min", 0), bounds.get("max", LIMITS.answer_characters)
    return 0 <= least <= most <= LIMITS.answer_characters


def _number(text: str) -> int:
    if text.isdigit():
        return int(text[:10])
    return NUMBER_WORDS.index(text.lower()) + 1


def _json(text: str) -> Suggestion | None:
    schemas = (schema for pattern, schema in JSON_FORMS for _match in _asserted(pattern, text))
    schema = next(schemas, None)
    return None if schema is None else Suggestion(Kind.JSON, {"type": "json_schema", "schema": dict(schema)})


def _beginning(text: str) -> Suggestion | None:
    matches = [match for pattern in BEGINNING for match in _asserted(pattern, text)]
    first = min(matches, key=lambda match: (match.start(), match.end()), default=None)
    # What nobody sees came with a copied text; no answer would begin with it.
    opening = HIDDEN.sub("", first[1]).strip() if first else ""
    if not opening:
        return None
    value = rf"\A\s*{re.escape(opening)}"
    if len(value) > LIMITS.pattern_characters:
        return None
    return Suggestion(Kind.BEGINNING, {"type": "regex", "case_sensitive": True, "value": value}, opening)


def _bullets(text: str) -> Suggestion | None:
    check = {"type": "regex", "value": r"(?m)^\s*[-*•]\s+\S"}
    return Suggestion(Kind.BULLETS, check) if any(_asserted(BULLETS, text)) else None


def _asserted(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches whose sentence denies nothing: "not in a bulleted list" asks for no such rule."""
    for match in pattern.finditer(text):
        ends = [end.end() for end in SENTENCE_END.finditer(text)]
        start = max((end for end in ends if end <= match.start()), default=0)
        end = min((end for end in ends if end >= match.end()), default=len(text))
        if not DENIED.search(text[start:end]):
            yield match
