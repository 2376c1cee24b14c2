"""Why a text or a list from outside cannot be stored: characters no database holds, too long, of another type."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from core.problems import Problem, Word, gettext_noop

Found = tuple[Any, list[Problem]]

# What stands in the place of a text that was erased, in cases and in conversations (ACC-D30).
ERASED_TEXT = "[erased]"
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def plain_lines(text: str) -> str:
    """The same with the line ends of every other text, whichever machine it was written on."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


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
