"""Whether an answer contains what a judge quotes from it (SC-110, SC-D45)."""

import unicodedata

import regex

INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))
QUOTATION_MARKS = "\"“”„‟«»″〝〞〟＂'‘’‚‛′‹›ʼʹ`´＇"
AS_APOSTROPHE = str.maketrans(dict.fromkeys(QUOTATION_MARKS, "'"))
FINAL_PUNCTUATION = ".,;:!?…。，！？；："

# Letters and digits of scripts that put spaces between words: two of them side by side are inside of a word.
_INSIDE_WORDS = (
    r"[[\p{L}\p{N}]--[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Myanmar}\p{scx=Khmer}]]"
)
_EDGE = regex.compile(rf"(?V1)(?<!{_INSIDE_WORDS})|(?!{_INSIDE_WORDS})")
# A control character that counts as whitespace, so that no normalised text holds it.
_MARK = "\x1f"
_WHITESPACE = regex.compile(r"\s+")


def normalised(text: str) -> str:
    """`N` of SC-D45: without what a reader does not see or a judge writes in another way; letter case stays.

    Composed once more after the invisible characters are gone, or a letter and the accent that one of them had kept
    apart would differ from the letter that the judge writes.
    """
    visible = unicodedata.normalize("NFC", text).translate(INVISIBLE)
    same_marks = unicodedata.normalize("NFC", visible).translate(AS_APOSTROPHE)
    return _WHITESPACE.sub(" ", same_marks).strip()


def stripped(quote: str) -> str:
    """`S` of SC-D45 for a normalised quote: without the marks around it and the punctuation at its end."""
    return quote.lstrip(" '").rstrip(" '" + FINAL_PUNCTUATION)


def is_empty(quote: str) -> bool:
    """Whether a quote says nothing, so that it is dropped (SC-D45 step 4)."""
    return not stripped(normalised(quote))


class Passages:
    """A text that is searched for quotes; made ready once, so that many quotes cost little (SC-D49)."""

    def __init__(self, text: str) -> None:
        self._text = _with_edges(normalised(text))

    def contain(self, quote: str) -> bool:
        """Whether the quote stands in the text at word edges, as it is or without its marks; never for an empty one."""
        written = normalised(quote)
        bare = stripped(written)
        return bool(bare) and (_with_edges(written) in self._text or _with_edges(bare) in self._text)


def _with_edges(text: str) -> str:
    """The text with a mark wherever a quote may begin or end.

    A mark depends on the two characters beside it only, so a quote with marks at both ends occurs in the text just
    where the plain quote occurs at word edges: one search sees every position, however often the quote is repeated.
    """
    return _EDGE.sub(_MARK, text)
