"""AnswerText: one answer as its rules read it, each way of reading made once and only where a rule wants it."""

from functools import cached_property
from typing import Any
from unicodedata import normalize

from core.limits import LIMITS
from core.problems import gettext_noop
from scoring.logic.findings import Reason
from scoring.logic.json_answers import Unread, read_answer, text_of
from scoring.logic.paths import NOTHING, Path, value_at

NO_VALUE = gettext_noop("The answer has nothing at %(path)s")


def composed(text: str) -> str:
    """The text in NFC (SC-D27)."""
    return text if text.isascii() else normalize("NFC", text)


def folded(text: str) -> str:
    """The text as it is compared where letter case does not matter: NFC, case folded, and NFC again (SC-D27)."""
    return text.lower() if text.isascii() else normalize("NFC", normalize("NFC", text).casefold())


class AnswerText:
    """At most the first 100,000 characters of an answer (SC-78); all of them where it is read as JSON (SC-D25)."""

    def __init__(self, text: str) -> None:
        self.whole = text
        self._at: dict[Path, Any] = {}

    @cached_property
    def plain(self) -> str:
        """What rules read of it, to the letter."""
        return self.whole[: LIMITS.answer_characters]

    @cached_property
    def composed(self) -> str:
        return composed(self.plain)

    @cached_property
    def folded(self) -> str:
        return folded(self.plain)

    @cached_property
    def json(self) -> Any:
        """The value of the answer, or `Unread`."""
        return read_answer(self.whole)

    @property
    def is_cut(self) -> bool:
        return len(self.whole) > LIMITS.answer_characters

    def value(self, path: Path, shown_path: str) -> Any:
        """The value at the path, or `Unread` where the answer is not JSON or has nothing there."""
        if isinstance(self.json, Unread) or not path:
            return self.json
        value = value_at(self.json, path)
        return Unread(Reason(NO_VALUE, {"path": shown_path})) if value is NOTHING else value

    def at(self, path: Path, shown_path: str) -> "AnswerText | Unread":
        """The text that a rule with this path reads: the answer itself without one."""
        if not path:
            return self
        if path not in self._at:
            value = self.value(path, shown_path)
            self._at[path] = value if isinstance(value, Unread) else AnswerText(text_of(value))
        return self._at[path]
