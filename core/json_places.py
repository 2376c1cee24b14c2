"""Where the parts of a JSON text stand, so that what is wrong with a value can be said with its line (DS-D27)."""

import re
from collections.abc import Iterator, Sequence

_SIGN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+', re.S)
_KEY = re.compile(r'"([a-z_]+)"\s*:')

Place = tuple[str, ...]


def line_of(text: str, path: str) -> int:
    """The line of the value at a dotted path, or of the innermost part of the path that is there.

    `text` is valid JSON. A key that holds a dot is found too, since the whole path of each value is compared.
    """
    found, best = 1, -1
    for line, place in _places(text):
        known = ".".join(place)
        if (path == known or path.startswith(f"{known}.") or not known) and len(known) > best:
            found, best = line, len(known)
    return found


def last_key_before(text: str, line: int, column: int, known: Sequence[str]) -> str:
    """The last of the known keys that was begun before a place; empty where there is none. The text may be broken."""
    lines = text.split("\n")
    before = "\n".join([*lines[: line - 1], lines[line - 1][: column - 1]]) if line <= len(lines) else text
    keys = [key for key in _KEY.findall(before) if key in known]
    return keys[-1] if keys else ""


def _places(text: str) -> Iterator[tuple[int, Place]]:
    """Line and path of each value; a member's line is that of its key."""
    stack: list[str | int | None] = []
    line, end = 1, 0
    key: tuple[str, int] | None = None
    for match in _SIGN.finditer(text):
        line += text.count("\n", end, match.start())
        end = match.start()
        sign = match[0]
        if sign in "]}":
            stack.pop()
        elif sign == ",":
            key = None
            if isinstance(stack[-1], int):
                stack[-1] += 1
            else:
                stack[-1] = None
        elif sign == ":":
            stack[-1] = key[0] if key else ""
        elif stack and stack[-1] is None:
            key = (_unquoted(sign), line)
        else:
            yield (key[1] if key else line), tuple(str(part) for part in stack)
            key = None
            if sign in "[{":
                stack.append(0 if sign == "[" else None)


def _unquoted(sign: str) -> str:
    return sign[1:-1].replace('\\"', '"').replace("\\\\", "\\")
