"""One scan of a text for credentials of every kind, and the choice among finds that overlap."""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from datasets.logic.credentials.addresses import find_passwords
from datasets.logic.credentials.assignments import find_assignments
from datasets.logic.credentials.headers import find_headers
from datasets.logic.credentials.kind import Find, Kind
from datasets.logic.credentials.kinds import KINDS
from datasets.logic.credentials.marker import without_inert
from datasets.logic.credentials.private_keys import find_private_keys
from datasets.logic.credentials.shapes import is_list_of_words

SHORTEST = 4
"""No credential is shorter, so most tags and names are not searched at all."""

_EMPHASIS = 3


_BODY = "(?:[a-z_+/=$-]{0,40}[0-9A-Z]|[a-z]{16})"
_GATES = {
    "_": re.compile(f"_{_BODY}"),
    "-": re.compile(f"-(?:{_BODY}|us[0-9])"),
    ".": re.compile(rf"\.{_BODY}"),
    "~": re.compile("~"),
    "/": re.compile("/"),
    "=": re.compile("="),
    ":": re.compile(":(?<=[0-9]{8}:)"),
    "A": re.compile("[A-Z][A-Z0-9][A-Za-z0-9]{4}"),
    "": re.compile(""),
}
"""What a text must contain for any credential with that sign to be in it; `A` for beginnings in capitals without one.

Behind a sign follows a digit, a capital or a run of letters longer than words: ordinary prose passes few gates.
"""


def _gate_of(kind: Kind) -> str:
    signed = kind.gate or next((sign for sign in "_-.~/=:" if sign in kind.literal), "")
    return signed or ("A" if kind.literal[0].isupper() else "")


def _gated(kinds: Iterable[Kind]) -> list[tuple[re.Pattern[str], list[tuple[str, Kind]]]]:
    """The kinds, each with its literal, behind the gate that each of their credentials passes."""
    by_gate: dict[str, list[tuple[str, Kind]]] = {}
    for kind in kinds:
        by_gate.setdefault(_gate_of(kind), []).append((kind.literal, kind))
    return [(_GATES[gate], entries) for gate, entries in by_gate.items()]


_BY_GATE = _gated(KINDS)


def scan(text: str) -> list[Find]:
    """The credentials in a text, in order, none overlapping.

    A block goes before a token in it, a known token before the header, address or name that it stands in.
    """
    if len(text) < SHORTEST:
        return []
    plain = without_inert(text)
    chosen = list(find_private_keys(plain))
    _add(chosen, sorted(_shaped(plain), key=lambda find: find.start - find.end))
    _add(chosen, find_headers(plain))
    _add(chosen, find_passwords(plain))
    _add(chosen, find_assignments(plain))
    return chosen


def _shaped(text: str) -> Iterator[Find]:
    for gate, kinds in _BY_GATE:
        if gate.search(text):
            for literal, kind in kinds:
                if literal in text:
                    yield from _of_kind(kind, text)


def _of_kind(kind: Kind, text: str) -> Iterator[Find]:
    group = "secret" if "secret" in kind.compiled.groupindex else 0
    for match in kind.compiled.finditer(text):
        start, end = match.span(group)
        if not is_list_of_words(match[0]):
            yield Find(start, _without_emphasis(text, start, end), kind.name)


def _without_emphasis(text: str, start: int, end: int) -> int:
    """`__token__`: underscores that also stand before it are Markdown's, not the token's."""
    for _ in range(_EMPHASIS):
        if not (start and text[start - 1] == "_" and text[end - 1] == "_"):
            break
        start, end = start - 1, end - 1
    return end


def _add(chosen: list[Find], finds: Iterable[Find]) -> None:
    for find in finds:
        at = bisect_left(chosen, find)
        if (at and chosen[at - 1].end > find.start) or (at < len(chosen) and chosen[at].start < find.end):
            continue
        chosen.insert(at, find)
