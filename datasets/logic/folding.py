"""How texts are told apart or not: tags that are one, and questions that are twins (DS-D24, DS-D33)."""

import hashlib
import unicodedata

from core.folding import WHITESPACE


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
