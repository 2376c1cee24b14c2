"""The marker that stands where a credential stood, and the way scans look past markers."""

import re

MARKER_PATTERN = r"\[redacted:[a-z0-9_]{1,40}\]"
MARKER = re.compile(MARKER_PATTERN)

UNKNOWN = "secret"
"""The kind of a value that is a credential by its name alone (DS-D62)."""

_INLINE_MEDIA = re.compile(r"data:(?:image|audio|video|font)/[\w.+-]{1,40};base64,[A-Za-z0-9+/=%_-]*")

BLANK = "\x1e"
"""White space for patterns, so no match begins in, ends in or runs through a blanked stretch; yet no place where a word
may begin or end, so that hiding a credential lays bare no further one beside it."""


def marker(kind: str) -> str:
    """The text that replaces a credential of that kind (DS-179)."""
    return f"[redacted:{kind}]"


def without_inert(text: str) -> str:
    """The text at the same length with markers and inline pictures blanked: nothing in them is a credential.

    A picture in base64 holds every combination of letters sooner or later, and a marker names credentials.
    """
    if "[redacted:" in text:
        text = MARKER.sub(_blanked, text)
    if ";base64," in text:
        text = _INLINE_MEDIA.sub(_blanked, text)
    return text


def _blanked(match: re.Match[str]) -> str:
    return BLANK * len(match[0])
