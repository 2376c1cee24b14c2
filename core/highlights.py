"""Passages of a text marked in the HTML that was rendered from it: a reader sees at once what a quote is about."""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

# A tag with its quoted attributes, a character reference, or one character. Text between tags is always escaped.
_PIECE = re.compile(r"""<(?:[^>"']|"[^"]*"|'[^']*')*>|&\#?\w+;|.""", re.DOTALL)
# A text of nothing but one letter holds a passage at every place.
MOST_TRIES = 500


@dataclass(frozen=True)
class Passage:
    """Words of the text: `name` becomes the class `quoted-<name>` of their mark, `title` what it says when pointed at.

    Of two that overlap the later one wins.
    """

    text: str
    name: str
    title: str = ""


def highlighted(rendered: SafeString, passages: Sequence[Passage]) -> SafeString:
    """The HTML with each passage marked where its words first stand; one that is not there marks nothing.

    Only letters and digits are compared, whatever their case and accents: what Markdown made of the rest is no matter.
    """
    wanted = [passage for passage in passages if passage.text.strip()]
    if not wanted:
        return rendered
    pieces = _PIECE.findall(rendered)
    words = _Words(pieces)
    marks: dict[int, Passage] = {}
    for passage in wanted:
        for place in words.places_of(passage.text):
            marks[place] = passage
    return mark_safe("".join(_with_marks(pieces, marks)))  # noqa: S308  (pieces of safe HTML, and marks made here)


class _Words:
    """The letters of the pieces in one line, each with the number of its piece."""

    def __init__(self, pieces: Sequence[str]) -> None:
        self._letters = ""
        self._piece_of: list[int] = []
        letters = []
        for number, piece in enumerate(pieces):
            folded = "" if _is_tag(piece) else _folded(html.unescape(piece))
            letters.append(folded)
            self._piece_of.extend([number] * len(folded))
        self._letters = "".join(letters)

    def places_of(self, passage: str) -> range:
        """The pieces between the first and the last letter of the passage; none where it does not stand here."""
        wanted = _folded(passage)
        at = self._first(wanted) if wanted else -1
        if at < 0:
            return range(0)
        return range(self._piece_of[at], self._piece_of[at + len(wanted) - 1] + 1)

    def _first(self, wanted: str) -> int:
        """Where it first stands between whole words, else, for scripts without spaces, anywhere; -1 for nowhere."""
        first = at = self._letters.find(wanted)
        for _ in range(MOST_TRIES):
            if at < 0 or not (self._goes_on(at - 1) or self._goes_on(at + len(wanted) - 1)):
                break
            at = self._letters.find(wanted, at + 1)
        else:
            at = -1
        if at >= 0:
            return at
        return first if len(wanted) > 1 else -1

    def _goes_on(self, at: int) -> bool:
        """Whether the letter at this place and the next one stand side by side in one word."""
        if at < 0 or at + 1 >= len(self._letters):
            return False
        return self._piece_of[at + 1] - self._piece_of[at] <= 1


def _folded(text: str) -> str:
    return "".join(letter for letter in normalize("NFKD", text).casefold() if letter.isalnum())


def _is_tag(piece: str) -> bool:
    return piece[0] == "<"


def _with_marks(pieces: Sequence[str], marks: dict[int, Passage]) -> Iterable[str]:
    """The pieces, with a mark around each stretch of text that belongs to one passage; tags stay outside of marks."""
    held: list[str] = []
    passage: Passage | None = None
    for number, piece in enumerate(pieces):
        now = None if _is_tag(piece) else marks.get(number)
        if now is not passage:
            yield _marked("".join(held), passage)
            held, passage = [], now
        held.append(piece)
    yield _marked("".join(held), passage)


def _marked(text: str, passage: Passage | None) -> str:
    # Spaces between two elements, such as the items of a list, may hold no element themselves.
    if passage is None or not text.strip():
        return text
    title = f' title="{escape(passage.title)}"' if passage.title else ""
    return f'<mark class="quoted quoted-{escape(passage.name)}"{title}>{text}</mark>'
