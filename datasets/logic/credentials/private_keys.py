"""Finds blocks of private keys from their first fence to their last, so that never only a part is hidden (DS-D62)."""

import re
from collections.abc import Iterator

from datasets.logic.credentials.kind import Find

KIND = "private_key"

_GAP = r"(?: |_|\+|%20|\\u0020)"
_FENCE = re.compile(
    rf"-{{3,5}} ?(?P<side>BEGIN|END){_GAP}(?P<label>(?:[A-Z0-9]{{1,16}}{_GAP}){{0,4}}?)"
    rf"(?:(?P<private>PRIVATE{_GAP}KEY(?:{_GAP}BLOCK)?)|[A-Z0-9]{{1,20}}) ?-{{3,5}}"
)
_BODY = re.compile(r"[ \t]{0,2}(?:\r?\n|\\+r\\+n|\\+n|%0[AD]|<br ?/?>)|[\s\"',+]{0,12}[A-Za-z0-9+/=]{16}")
_PUTTY = re.compile(r"PuTTY-User-Key-File-[23]:")
_PUTTY_END = re.compile(r"Private-MAC: ?[0-9a-f]{0,128}")


def find_private_keys(text: str) -> Iterator[Find]:
    """Each block of a private key: to its END, to the next BEGIN, or else to the end of the text.

    A fence that is only spoken of, with no key after it, stays.
    """
    if "PRIVATE" in text:
        yield from _fenced(text)
    if "PuTTY-User-Key-File-" in text:
        yield from _putty(text)


def _fenced(text: str) -> Iterator[Find]:
    start = None
    for fence in _FENCE.finditer(text):
        if fence["side"] == "BEGIN":
            if start is not None:
                yield Find(start, _without_trailing_space(text, fence.start()), KIND)
            start = fence.start() if fence["private"] and _BODY.match(text, fence.end()) else None
        elif start is not None:
            yield Find(start, fence.end() if fence["private"] else fence.start(), KIND)
            start = None
    if start is not None:
        yield Find(start, len(text), KIND)


def _without_trailing_space(text: str, end: int) -> int:
    while text[end - 1].isspace():
        end -= 1
    return end


def _putty(text: str) -> Iterator[Find]:
    position = 0
    while begin := _PUTTY.search(text, position):
        end = _PUTTY_END.search(text, begin.end())
        position = end.end() if end else len(text)
        yield Find(begin.start(), position, KIND)
