"""ReadyRule: one check made ready, which says what it finds in an answer and in which words."""

from decimal import Decimal
from functools import cached_property
from typing import Any

from core.problems import gettext_noop
from scoring.logic.answer_text import AnswerText
from scoring.logic.answers import GradedAnswer
from scoring.logic.findings import Finding, Json, Origin, Reason, Verdict
from scoring.logic.json_answers import Unread
from scoring.logic.paths import read_path

SHOWN_CHARACTERS = 200
UNREADABLE = Reason(gettext_noop("This check cannot be read"))


class ReadyRule:
    """Made once for a check and used for every answer; what it finds may be shared, since findings do not change."""

    def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
        self.id = finding_id
        self.origin = origin
        self.check = check
        self.shown_path: str = check.get("path") or ""
        self.path = read_path(self.shown_path)

    def grade(self, answer: GradedAnswer, text: AnswerText) -> Finding:
        """What it finds in the answer, `text` being the answer as rules read it."""
        raise NotImplementedError

    def finding(self, verdict: Verdict, why: Reason) -> Finding:
        """What it found, in the words given."""
        return Finding(self.id, self.origin, verdict, str(self.check.get("type", "")), self.check, why=why)

    def unread(self, unread: Unread) -> Finding:
        """That it could not read what its path asks for: a fault of the answer, or an error of ours (SC-D25)."""
        return self.finding(Verdict.ERROR if unread.is_error else Verdict.FAIL, unread.why)


class UnreadableRule(ReadyRule):
    """Stands for a check that none of the rules can be made of, and costs its own result only."""

    def __init__(self, finding_id: str, origin: Origin, check: Any) -> None:
        super().__init__(finding_id, origin, {})
        self.check = check if isinstance(check, dict) else {}

    def grade(self, answer: GradedAnswer, text: AnswerText) -> Finding:
        return self.finding(Verdict.ERROR, UNREADABLE)


class TwoWays(ReadyRule):
    """A rule that says one of two things, whatever the answer."""

    def words(self, verdict: Verdict) -> Reason:
        """What it says where the answer passes, and where it fails."""
        raise NotImplementedError

    @cached_property
    def passed(self) -> Finding:
        return self.finding(Verdict.PASS, self.words(Verdict.PASS))

    @cached_property
    def failed(self) -> Finding:
        return self.finding(Verdict.FAIL, self.words(Verdict.FAIL))


def shown(text: str) -> str:
    """As much of a text as a reason quotes."""
    return text if len(text) <= SHOWN_CHARACTERS else text[: SHOWN_CHARACTERS - 1] + "…"


def plain_number(number: Decimal) -> str:
    """All its digits, without an exponent and without noughts at the end."""
    digits = format(number, "f")
    return digits.rstrip("0").rstrip(".") if "." in digits else digits
