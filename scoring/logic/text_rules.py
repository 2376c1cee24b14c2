"""Rules that compare texts: contains, not_contains, equals (SC-60 to SC-62, SC-76, SC-D27)."""

from core.problems import gettext_noop
from scoring.logic.answer_text import AnswerText, composed, folded
from scoring.logic.answers import GradedAnswer
from scoring.logic.findings import Finding, Json, Origin, Reason, Verdict
from scoring.logic.json_answers import Unread
from scoring.logic.ready_rules import TwoWays, shown

# For the whole answer, and for the value at a path.
CONTAINS = (
    gettext_noop("The answer contains “%(value)s”"),
    gettext_noop("The value at %(path)s contains “%(value)s”"),
)
CONTAINS_NOT = (
    gettext_noop("The answer does not contain “%(value)s”"),
    gettext_noop("The value at %(path)s does not contain “%(value)s”"),
)
IS = (
    gettext_noop("The answer is “%(value)s”"),
    gettext_noop("The value at %(path)s is “%(value)s”"),
)
IS_NOT = (
    gettext_noop("The answer is not “%(value)s”"),
    gettext_noop("The value at %(path)s is not “%(value)s”"),
)
CONTAINS_NOT_IN_ITS_BEGINNING = gettext_noop("The first 100,000 characters of the answer do not contain “%(value)s”")


class TextRule(TwoWays):
    """What the text rules share: a value, in the form in which it is compared."""

    said_where_true = CONTAINS
    said_where_false = CONTAINS_NOT
    passes_where = True

    def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
        super().__init__(finding_id, origin, check)
        self.is_sensitive: bool = check.get("case_sensitive") is True
        value: str = check["value"]
        self.value = composed(value) if self.is_sensitive else folded(value)

    def grade(self, answer: GradedAnswer, text: AnswerText) -> Finding:
        read = text.at(self.path, self.shown_path)
        if isinstance(read, Unread):
            return self.unread(read)
        found = self.holds(read.composed if self.is_sensitive else read.folded)
        if read.is_cut and not found:
            return self.not_in_the_beginning()
        return self.passed if found is self.passes_where else self.failed

    def holds(self, text: str) -> bool:
        """Whether the text contains the value."""
        return self.value in text

    def not_in_the_beginning(self) -> Finding:
        """What it found where there is more of the answer than rules read."""
        return self.failed

    def words(self, verdict: Verdict) -> Reason:
        holds = (verdict is Verdict.PASS) is self.passes_where
        return self.said(self.said_where_true if holds else self.said_where_false)

    def said(self, texts: tuple[str, str]) -> Reason:
        """The first text about the whole answer, the second about the value at the path."""
        value = {"value": shown(self.check["value"])}
        return Reason(texts[1], {"path": self.shown_path, **value}) if self.path else Reason(texts[0], value)


class Contains(TextRule):
    """`contains`."""

    def not_in_the_beginning(self) -> Finding:
        verdict = Verdict.FAIL if self.passes_where else Verdict.PASS
        return self.finding(verdict, self.said((CONTAINS_NOT_IN_ITS_BEGINNING, CONTAINS_NOT[1])))


class ContainsNot(Contains):
    """`not_contains`."""

    passes_where = False


class Equals(TextRule):
    """`equals`: without whitespace at both ends of both (SC-62, SC-D27)."""

    said_where_true = IS
    said_where_false = IS_NOT

    def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
        super().__init__(finding_id, origin, check)
        self.value = self.value.strip()

    def holds(self, text: str) -> bool:
        return text.strip() == self.value
