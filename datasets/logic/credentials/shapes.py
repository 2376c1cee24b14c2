"""The pieces that patterns of credentials are made of: where one may begin, its body, and breaks inside it.

Every pattern is linear: a body is possessive or counted, and a break holds no character of a body. A group is atomic,
`(?>(?:…)*)`, since possessive ones go wrong before Python 3.11.5 (python/cpython#106052).
"""

import re

from datasets.logic.credentials.marker import BLANK


def begins(prefix: str) -> str:
    """A prefix of fixed width that stands at the beginning of a word.

    The letter of an escape (`\\n`) and the digits of `%3D` are no part of a word. The prefix comes first in the
    pattern and is looked back at: so the search can jump from prefix to prefix.
    """
    before = (r"\\[nrtbf]", "%[0-9A-Fa-f]{2}", r"\\u[0-9A-Fa-f]{4}")
    escapes = "|".join(f"(?<={escape}{prefix})" for escape in before)
    return f"{prefix}(?:(?<![A-Za-z0-9{BLANK}]{prefix})|{escapes})"


RIGHT = f"(?![A-Za-z0-9{BLANK}])"
"""The word ends here."""

BREAK = (
    r"(?:[ \t]{0,2}\r?\n[ \t]{0,8}(?:>[ \t]?)?|=\r?\n|\\\r?\n[ \t]{0,8}|\\r\\n|\\n"
    "|[\u00ad\u200b\u2060\ufeff\u2028]|<wbr ?/?>|&shy;)"
)
"""A soft line break: what mail programs, editors, JSON and HTML put into a long word without meaning it."""

BREAKS_AT_MOST = 2
STRETCH_AT_LEAST = 12
"""A credential that is broken more often than that has long stretches between its breaks; a list of words has not."""

_BREAK = re.compile(BREAK)

ALNUM = "A-Za-z0-9"
URLSAFE = r"A-Za-z0-9_\-"
WORD = "A-Za-z0-9_"
HEX = "0-9a-f"
ANY_HEX = "0-9a-fA-F"
BASE64 = "A-Za-z0-9+/"


_WORD = "(?:[A-Z]?[a-z]+(?:[A-Z][a-z]{2,})*|[A-Z]+)[0-9]{0,4}"
_WORDS = f"(?:{_WORD}|[0-9]+)(?>(?:[-_](?:{_WORD}|[0-9]+))*)"
"""What a next line begins with when it is no rest of a credential: words, names in one piece, numbers, dates."""

_PLAIN_WORD = "[A-Z]?[a-z]{1,14}"


def _guard(words: str, chars: str, again: str) -> str:
    """After a break: neither words up to the end of the stretch nor the beginning of a next credential."""
    return f"(?!{words}(?![{chars}])" + (f"|{again})" if again else ")")


def counted(chars: str, size: int, guard: str = "") -> str:
    """A body of at least that many of the characters. Breaks may stand inside it only until it is that long."""
    broken = f"[{chars}](?:(?:{BREAK}{guard})?[{chars}]){{{size - 1}}}"
    return f"(?:[{chars}]{{{size},}}+|{broken}[{chars}]*+)"


def joint(sign: str) -> str:
    """A sign between two parts of a credential, where a break is likely."""
    return f"{BREAK}?{sign}{BREAK}?"


def open_ended(chars: str, least: int, again: str = "") -> str:
    """A body without a fixed length: after a break it goes on only with a stretch that cannot be words.

    `again` is the beginning of a next credential of the kind, so that a list of them stays a list.
    """
    guard = _guard(_WORDS, chars, again)
    return f"{counted(chars, least, guard)}(?>(?:{BREAK}{guard}[{chars}]{{8,}}+(?![=:(@/]))*)"


def sized(chars: str, *sizes: int, least: int, again: str = "") -> str:
    """A body of one of these sizes, so that its last stretch is known to belong to it, or else of any from `least`."""
    guard = _guard(_PLAIN_WORD, chars, again)
    known = (counted(chars, size, guard) for size in sorted(sizes, reverse=True))
    return f"(?:{'|'.join(known)}|{open_ended(chars, least, again)})"


def is_list_of_words(found: str) -> bool:
    """Whether what was found is broken so often, and into so short stretches, that it is no credential."""
    breaks = len(_BREAK.findall(found))
    return breaks > BREAKS_AT_MOST and len(found) < STRETCH_AT_LEAST * breaks
