"""Two texts compared line by line and, in lines that changed, word by word; what a page shows of it.

Plain Python on difflib. The comparison is bounded: over `MOST_LINES` lines the whole is shown as removed and added.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

MOST_LINES = 2_000
MOST_WORDS = 600
AROUND = 2  # unchanged lines shown beside a change
WORD = re.compile(r"\w+|\s+|[^\w\s]")


class Kind(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True)
class Piece:
    """A stretch of a line; `marked` where it differs from the other side."""

    text: str
    marked: bool = False


@dataclass(frozen=True)
class Line:
    """One row of the comparison: what stood there and what stands there now, None where there is no such line."""

    kind: Kind
    old: tuple[Piece, ...] | None
    new: tuple[Piece, ...] | None


@dataclass(frozen=True)
class Stretch:
    """Neighbouring rows; `folded` where all are unchanged and far from any change."""

    lines: tuple[Line, ...]
    folded: bool = False


def compare(old: str, new: str) -> list[Stretch]:
    """The rows of the comparison, in stretches of which the unchanged ones are folded."""
    return list(_fold(list(_lines(old.splitlines(), new.splitlines()))))


def _lines(old: list[str], new: list[str]) -> Iterator[Line]:
    if len(old) + len(new) > MOST_LINES:
        yield from _pairs(old, [], Kind.REMOVED)
        yield from _pairs([], new, Kind.ADDED)
        return
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (Line(Kind.SAME, (Piece(line),), (Piece(line),)) for line in old[i1:i2])
        else:
            yield from _pairs(old[i1:i2], new[j1:j2], Kind.CHANGED)


def _pairs(old: Sequence[str], new: Sequence[str], kind: Kind) -> Iterator[Line]:
    for position in range(max(len(old), len(new))):
        before = old[position] if position < len(old) else None
        after = new[position] if position < len(new) else None
        if before is None:
            yield Line(Kind.ADDED, None, (Piece(after or ""),))
        elif after is None:
            yield Line(Kind.REMOVED, (Piece(before),), None)
        else:
            yield Line(kind, *_words(before, after))


def _words(old: str, new: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    before, after = WORD.findall(old), WORD.findall(new)
    if len(before) + len(after) > MOST_WORDS:
        return (Piece(old, True),), (Piece(new, True),)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    left: list[Piece] = []
    right: list[Piece] = []
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        # A space that two rewritten stretches happen to share is no part that stayed.
        marked = tag != "equal" or (i1 > 0 and i2 < len(before) and not "".join(before[i1:i2]).strip())
        if i2 > i1:
            left.append(Piece("".join(before[i1:i2]), marked))
        if j2 > j1:
            right.append(Piece("".join(after[j1:j2]), marked))
    return tuple(left), tuple(right)


def _fold(lines: list[Line]) -> Iterator[Stretch]:
    near = _near_a_change(lines)
    start = 0
    for end in range(1, len(lines) + 1):
        if end == len(lines) or near[end] != near[start]:
            # Hiding a single line behind a line that says so would save nothing.
            folded = not near[start] and end - start > 1
            yield Stretch(tuple(lines[start:end]), folded)
            start = end


def _near_a_change(lines: list[Line]) -> list[bool]:
    near = [False] * len(lines)
    for position, line in enumerate(lines):
        if line.kind is not Kind.SAME:
            for beside in range(max(0, position - AROUND), min(len(lines), position + AROUND + 1)):
                near[beside] = True
    return near
