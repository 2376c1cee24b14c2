"""How texts are compared: for search (accents and case ignored, in any script), for tags, and for twins (DS-D33)."""

import hashlib
import re
import unicodedata

WHITESPACE = re.compile(r"\s+")
# Accents of Latin, Greek and Cyrillic letters. Marks of other scripts (vowel signs, for instance) are letters there.
ACCENTS = dict.fromkeys(range(0x0300, 0x0370))
# Letters that Unicode does not take apart into a letter and an accent.
STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})


def fold(text: str) -> str:
    """The text as search compares it: case folded, accents dropped, whitespace as single spaces."""
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return WHITESPACE.sub(" ", apart.translate(ACCENTS).translate(STROKES)).strip()


def tag_key(tag: str) -> str:
    """Two tags with the same key are one tag (DS-D24)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", tag).casefold())


def question_key(question: str) -> str:
    """What twins have in common: NFC, case folded, runs of whitespace as one space, trimmed (DS-D33)."""
    same = unicodedata.normalize("NFC", unicodedata.normalize("NFC", question).casefold())
    return WHITESPACE.sub(" ", same).strip()


def question_hash(question: str) -> str:
    """The SHA-256 of the question's key: what is stored, so that twins are one look-up in an index."""
    return hashlib.sha256(question_key(question).encode()).hexdigest()
