"""Replaces credentials by markers, in a text and in a nested value (DS-179 to DS-185, DS-D62, DS-D63)."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from datasets.logic.credentials.assignments import is_name, kind_in_field
from datasets.logic.credentials.marker import marker
from datasets.logic.credentials.scan import scan

_APART = "\n\n"
"""Between two texts that are scanned together: nothing runs across an empty line but an open private key."""

_TOGETHER = 2_000
"""Characters that are scanned together: longer, and one credential makes too much be scanned twice."""


@dataclass(frozen=True)
class Hidden:
    """A text in which markers stand for credentials, and how many of each kind were hidden: never the values."""

    text: str
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many values were hidden, for the audit entry and the message to the person (DS-183, DS-D64)."""
        return sum(self.counts.values())


@dataclass(frozen=True)
class HiddenValue:
    """The same for a nested value of JSON."""

    value: Any
    counts: Mapping[str, int]

    @property
    def total(self) -> int:
        """How many values were hidden."""
        return sum(self.counts.values())


def hide(text: str) -> Hidden:
    """Replace each credential in a text by its marker; all else stays to the byte, and doing it twice changes nothing.

    A marker can lay bare a name or a boundary that was none before, so the result is scanned until nothing is found:
    each round leaves less that is not marker.
    """
    counts: dict[str, int] = {}
    while finds := scan(text):
        pieces, position = [], 0
        for find in finds:
            pieces += [text[position : find.start], marker(find.kind)]
            position = find.end
            counts[find.kind] = counts.get(find.kind, 0) + 1
        text = "".join(pieces) + text[position:]
    return Hidden(text, counts)


def hide_in(value: Any) -> HiddenValue:
    """Replace the credentials in every string at any depth; keys stay, and so does every shape (DS-D63).

    A key is a name beside its value: what stands under `password` is judged as if `password = …` were written.
    """
    texts: list[str] = []
    named = _collect(value, texts)
    counts: Counter[str] = Counter()
    hidden = _hide_each(texts, counts)
    if not counts and not named:
        return HiddenValue(value, {})
    return HiddenValue(_rebuild(value, iter(hidden), counts), dict(counts))


def _collect(value: Any, texts: list[str]) -> bool:
    """Append every string in the value, in order; return whether one stands under the name of a credential."""
    if isinstance(value, str):
        texts.append(value)
        return False
    named = False
    if isinstance(value, dict):
        for key, inner in value.items():
            named |= _collect(inner, texts) or (is_name(key) and isinstance(inner, str))
    elif isinstance(value, list | tuple):
        for inner in value:
            named |= _collect(inner, texts)
    return named


def _hide_each(texts: list[str], counts: Counter[str]) -> list[str]:
    """Each text with its credentials hidden. Most have none, so neighbours are scanned in one go first."""
    result: list[str] = []
    for together in _grouped(texts):
        if scan(_APART.join(together)):
            for text in together:
                hidden = hide(text)
                counts.update(hidden.counts)
                result.append(hidden.text)
        else:
            result += together
    return result


def _grouped(texts: list[str]) -> Iterator[list[str]]:
    group: list[str] = []
    length = 0
    for text in texts:
        if length + len(text) > _TOGETHER and group:
            yield group
            group, length = [], 0
        group.append(text)
        length += len(text)
    yield group


def _rebuild(value: Any, hidden: Iterator[str], counts: Counter[str]) -> Any:
    if isinstance(value, str):
        return next(hidden)
    if isinstance(value, dict):
        return {key: _rebuild_under(key, inner, hidden, counts) for key, inner in value.items()}
    if isinstance(value, list):
        return [_rebuild(inner, hidden, counts) for inner in value]
    if isinstance(value, tuple):
        return tuple(_rebuild(inner, hidden, counts) for inner in value)
    return value


def _rebuild_under(key: object, value: Any, hidden: Iterator[str], counts: Counter[str]) -> Any:
    """What stood under the key, hidden whole when the key says that it is a credential and no scan knew its kind."""
    rebuilt = _rebuild(value, hidden, counts)
    if isinstance(value, str) and is_name(key) and rebuilt == value and (kind := kind_in_field(str(key), value)):
        counts[kind] += 1
        return marker(kind)
    return rebuilt
