"""How texts are compared by search: accents and case ignored, in any script, the same on every database (BC-53)."""

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
