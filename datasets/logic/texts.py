"""What happens to a case's text before it is stored: line ends, emptiness, the markers that stand for no text."""

from typing import Any

from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import ERASED_TEXT, Found, plain_lines, text_problems, wrong_type

# What stands in place of a text somebody may not read; like that of an erased one it is no question (DS-D47). It comes
# from an export and is refused in every text, since it would take the place of words that are there.
HIDDEN_TEXT = "[hidden: text from a conversation]"


def read_text(value: Any, limit: int) -> Found:
    """The text as it is stored, or None for an empty one (DS-D21, DS-D22); never the marker of ACC-D16 (DS-D47)."""
    if value is None:
        return None, []
    if not isinstance(value, str):
        return None, [wrong_type(gettext_noop("This must be text, not %(type)s."), value)]
    text = plain_lines(value)
    if not text.strip():
        return None, []
    return text, [*text_problems(text, limit), *_marker_problems(text, HIDDEN_TEXT)]


def read_input(value: Any) -> Found:
    """The question; required, and never what stands in place of one (DS-D47, ACC-D30)."""
    text, problems = read_text(value, LIMITS.text_characters)
    if text is not None:
        return text, [*problems, *_marker_problems(text, ERASED_TEXT)]
    return None, problems or [Problem("", gettext_noop("A case needs a question."))]


def _marker_problems(text: str, marker: str) -> list[Problem]:
    """Spaces around it change nothing: spreadsheets and people add them."""
    if text.strip() != marker:
        return []
    words = gettext_noop('"%(marker)s" stands for a text that is not there; write the text itself.')
    return [Problem("", words, {"marker": marker})]


def read_answer(value: Any) -> Found:
    return read_text(value, LIMITS.text_characters)


def read_note(value: Any) -> Found:
    return read_text(value, LIMITS.note_characters)
