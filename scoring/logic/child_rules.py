"""Rules that run in a child process: patterns and JSON Schemas (SC-63 to SC-65, SC-79 to SC-82, SC-D28, SC-D29)."""

from core.json_values import compact
from core.problems import gettext_noop
from datasets.logic.credentials import hide
from scoring.logic.answer_text import AnswerText, composed
from scoring.logic.answers import GradedAnswer
from scoring.logic.checking_child import Asking, Reply
from scoring.logic.findings import Finding, Json, Origin, Reason, Verdict
from scoring.logic.json_answers import Unread, written
from scoring.logic.ready_rules import TwoWays, shown

MATCHES = (
    gettext_noop("The pattern matches the answer"),
    gettext_noop("The pattern matches the value at %(path)s"),
)
MATCHES_NOT = (
    gettext_noop("The pattern does not match the answer"),
    gettext_noop("The pattern does not match the value at %(path)s"),
)
MATCHES_NOT_ITS_BEGINNING = gettext_noop("The pattern does not match the first 100,000 characters of the answer")
VALID = (
    gettext_noop("The answer is valid under the schema"),
    gettext_noop("The value at %(path)s is valid under the schema"),
)
BREAKS = gettext_noop("The answer breaks %(asked)s of the schema")
BREAKS_AT = gettext_noop("The value at %(place)s breaks %(asked)s of the schema")

PATTERN_ERRORS = {
    "slow": Reason(gettext_noop("The pattern took longer than 0.1 second on this answer")),
    "worn": Reason(gettext_noop("The pattern took too long on many answers before and was not tried on this one")),
    "heavy": Reason(gettext_noop("The pattern takes too much time or memory")),
}
SCHEMA_ERRORS = {
    "heavy": Reason(gettext_noop("The schema takes too much time or memory")),
    "deep": Reason(gettext_noop("The answer or the schema nests too deep to be compared")),
    "unread": Reason(gettext_noop("The answer cannot be read as JSON")),
    "number": Reason(gettext_noop("The answer has a number that is too large to be compared")),
}
PATTERN_INVALID = gettext_noop("The pattern is not valid: %(why)s")
SCHEMA_INVALID = gettext_noop("The schema is not valid: %(why)s")


class ChildRule(TwoWays):
    """What both share: a question in place of a finding, and a finding for the reply to it."""

    passes = MATCHES
    errors = PATTERN_ERRORS
    invalid = PATTERN_INVALID
    asked: Asking

    def text(self, answer: AnswerText) -> str | Unread:
        """The text that is sent with the question."""
        raise NotImplementedError

    def replied(self, reply: Reply, answer: AnswerText) -> Finding:
        """What the child's reply says."""
        word, detail = reply
        if word == "yes":
            return self.passed
        if word == "no":
            return self.broken(detail, answer)
        if word == "invalid":
            return self.finding(Verdict.ERROR, Reason(self.invalid, {"why": detail}))
        return self.finding(Verdict.ERROR, self.errors[word])

    def broken(self, detail: list[str], answer: AnswerText) -> Finding:
        """The finding where the answer does not do what is asked."""
        raise NotImplementedError

    def grade(self, answer: GradedAnswer, text: AnswerText) -> Finding:
        raise TypeError("the child answers for this rule")

    def words(self, verdict: Verdict) -> Reason:
        texts = self.passes if verdict is Verdict.PASS else MATCHES_NOT
        return Reason(texts[1], {"path": self.shown_path}) if self.path else Reason(texts[0])


class Pattern(ChildRule):
    """`regex`: anywhere in the text, which is in NFC as the pattern is; no flag but that for letter case."""

    def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
        super().__init__(finding_id, origin, check)
        self.asked = Asking("regex", composed(check["value"]), check.get("case_sensitive") is not True)

    def text(self, answer: AnswerText) -> str | Unread:
        read = answer.at(self.path, self.shown_path)
        return read if isinstance(read, Unread) else read.composed

    def broken(self, detail: list[str], answer: AnswerText) -> Finding:
        if answer.is_cut and not self.path:
            return self.finding(Verdict.FAIL, Reason(MATCHES_NOT_ITS_BEGINNING))
        return self.failed


class Schema(ChildRule):
    """`json_schema`: the answer, or the value at the path, is valid under it."""

    passes = VALID
    errors = SCHEMA_ERRORS
    invalid = SCHEMA_INVALID

    def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
        super().__init__(finding_id, origin, check)
        self.asked = Asking("schema", compact(check["schema"]), False)

    def text(self, answer: AnswerText) -> str | Unread:
        # Without a path the child reads the answer itself; one that it cannot read is read here again, for the words.
        if not self.path and not answer.is_cut:
            return answer.whole
        value = answer.value(self.path, self.shown_path)
        return value if isinstance(value, Unread) else written(value)

    def replied(self, reply: Reply, answer: AnswerText) -> Finding:
        if reply[0] not in ("yes", "no") and isinstance(value := answer.value(self.path, self.shown_path), Unread):
            return self.unread(value)
        return super().replied(reply, answer)

    def broken(self, detail: list[str], answer: AnswerText) -> Finding:
        place, keyword, asked = detail
        values = {"asked": shown(f"{compact(keyword)}: {asked}")}
        place = ".".join(part for part in (self.shown_path, place) if part)
        if not place:
            return self.finding(Verdict.FAIL, Reason(BREAKS, values))
        # The keys on the way are the answer's words.
        return self.finding(Verdict.FAIL, Reason(BREAKS_AT, {"place": shown(hide(place).text), **values}))
