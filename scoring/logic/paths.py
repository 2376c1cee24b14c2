"""Paths into an answer that is JSON: `items.0.name` (SC-74, SC-D24)."""

import re
from typing import Any

Path = tuple[str, ...]

# A piece of a segment: anything but a dot and a backslash, or what a backslash makes plain.
_PIECE = re.compile(r"\\([.\\])|([^.])|(\.)", re.S)


class Nothing:
    """Stands for a value that is not there."""


NOTHING = Nothing()


def read_path(path: str) -> Path:
    r"""The segments of a path. `\.` is a dot inside a key and `\\` a backslash; another backslash is itself."""
    if not path:
        return ()
    segments = [""]
    for escaped, plain, dot in _PIECE.findall(path):
        if dot:
            segments.append("")
        else:
            segments[-1] += escaped or plain
    return tuple(segments)


def value_at(value: Any, path: Path) -> Any:
    """The value at the path, or `NOTHING`. In a list a segment is a position from 0, in an object a key."""
    for segment in path:
        if isinstance(value, dict):
            value = value.get(segment, NOTHING)
        elif isinstance(value, list) and segment.isascii() and segment.isdigit():
            place = int(segment) if len(segment) < 10 else len(value)
            value = value[place] if place < len(value) else NOTHING
        else:
            return NOTHING
    return value
