"""What happens to a text before it is stored: line ends, emptiness, what cannot be stored, how long it may be."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from core.limits import LIMITS
from datasets.logic.problems import Problem, Word, gettext_noop

Found = tuple[Any, list[Problem]]

UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
# What stands in place of a text somebody may not read, and of a text that was erased; neither is a question (DS-D47).
# The first comes from an export and is refused in every text, since it would take the place of words that are there.
HIDDEN_TEXT = "[hidden: text from a conversation]"
ERASED_TEXT = "[erased]"


def read_text(value: Any, limit: int) -> Found:
    """The text as it is stored, or None for an empty one (DS-D21, DS-D22); never the marker of ACC-D16 (DS-D47)."""
    if value is None:
        return None, []
    if not isinstance(value, str):
        return None, [wrong_type(gettext_noop("This must be text, not %(type)s."), value)]
    text = value.replace("\r\n", "\n").replace("\r", "\n")
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


def text_problems(text: str, limit: int) -> list[Problem]:
    """Why the text cannot be stored: what databases and UTF-8 cannot hold, or too long (DS-D20, DS-D21)."""
    problems = []
    if UNSTORABLE.search(text):
        problems.append(unstorable())
    if len(text) > limit:
        problems.append(too_long(limit, len(text)))
    return problems


def unstorable() -> Problem:
    return Problem("", gettext_noop("The text holds a character that cannot be stored (NUL or half of a pair)."))


def too_long(limit: int, count: int) -> Problem:
    values = {"limit": limit, "count": count}
    return Problem("", gettext_noop("At most %(limit)d characters; this has %(count)d."), values)


def too_many(limit: int, count: int) -> Problem:
    return Problem("", gettext_noop("At most %(limit)d; this has %(count)d."), {"limit": limit, "count": count})


def wrong_type(text: str, value: Any) -> Problem:
    return Problem("", text, {"type": type_name(value)})


TYPE_NAMES = (
    (bool, gettext_noop("true or false")),
    (int | float, gettext_noop("a number")),
    (str, gettext_noop("text")),
    (list, gettext_noop("a list")),
    (dict, gettext_noop("an object")),
)


def type_name(value: Any) -> Word:
    """What JSON calls the type of the value."""
    return Word(next((name for kind, name in TYPE_NAMES if isinstance(value, kind)), "null"))


def read_list(value: Any, limit: int, read_item: Callable[[Any], Found]) -> Found:
    """A list with each item read; nothing where there is none (DS-D22)."""
    if value is None or value == "":
        return (), []
    if not isinstance(value, list | tuple):
        return (), [wrong_type(gettext_noop("This must be a list, not %(type)s."), value)]
    if len(value) > limit:
        return (), [too_many(limit, len(value))]
    items, problems = [], []
    for place, item in enumerate(value):
        found, wrong = read_item(item)
        items.append(found)
        problems += [problem.under(place) for problem in wrong]
    return tuple(items), problems


def unknown_keys(value: dict[str, Any], known: tuple[str, ...]) -> Iterator[Problem]:
    """A problem for each key that is not one of `known`: a mistyped name must lose no data silently (DS-131)."""
    for key in value:
        if key not in known:
            text = gettext_noop("There is no field of this name here; known are %(known)s.")
            yield Problem(str(key), text, {"known": ", ".join(known)})
