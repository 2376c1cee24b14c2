"""AnswerText: one answer as its rules read it, each way of reading made once and only where a rule wants it."""

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

    __slots__ = ("_at", "_composed", "_folded", "_json", "is_cut", "plain", "whole")

    def __init__(self, text: str) -> None:
        self.whole = text
        self.is_cut = len(text) > LIMITS.answer_characters
        # What rules read of it, to the letter.
        self.plain = text[: LIMITS.answer_characters] if self.is_cut else text
        self._composed: str | None = None
        self._folded: str | None = None
        self._json: Any = NOTHING
        self._at: dict[Path, AnswerText | Unread] | None = None

    @property
    def composed(self) -> str:
        """It in NFC."""
        if self._composed is None:
            self._composed = composed(self.plain)
        return self._composed

    @property
    def folded(self) -> str:
        """It as it is compared where letter case does not matter."""
        if self._folded is None:
            self._folded = folded(self.plain)
        return self._folded

    @property
    def json(self) -> Any:
        """The value of the answer, or `Unread`."""
        if self._json is NOTHING:
            self._json = read_answer(self.whole)
        return self._json

    def value(self, path: Path, shown_path: str) -> Any:
        """The value at the path, or `Unread` where the answer is not JSON or has nothing there."""
        if not path or isinstance(self.json, Unread):
            return self.json
        value = value_at(self.json, path)
        return Unread(Reason(NO_VALUE, {"path": shown_path})) if value is NOTHING else value

    def at(self, path: Path, shown_path: str) -> "AnswerText | Unread":
        """The text that a rule with this path reads: the answer itself without one."""
        if not path:
            return self
        if self._at is None:
            self._at = {}
        if path not in self._at:
            value = self.value(path, shown_path)
            self._at[path] = value if isinstance(value, Unread) else AnswerText(text_of(value))
        return self._at[path]
