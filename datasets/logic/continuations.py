"""Whether a question clearly goes on from the one before it (DS-163, DS-D58)."""

import re

# A list for each language of the product; a question is compared with all of them, whatever language its reader uses.
BEGINNINGS = {
    "en": ("and", "what about"),
    "es": ("y", "y si", "y qué", "qué hay de", "qué pasa con"),
    "pl": ("a co", "a jak"),
}
_BEGINS = re.compile(
    r"\W*(?:" + "|".join(beginning.replace(" ", r"\s+") for each in BEGINNINGS.values() for beginning in each) + r")\b",
    re.IGNORECASE,
)


def is_continuation(question: str) -> bool:
    """Whether it begins with such words, as whole words and whatever their case; signs before them do not count."""
    return _BEGINS.match(question) is not None
