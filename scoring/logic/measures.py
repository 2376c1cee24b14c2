"""Rules that measure: the length of an answer, the cost and the time of its run (SC-66 to SC-71, SC-D30, BC-38)."""

from decimal import Decimal

from core.limits import LIMITS
from core.problems import gettext_noop
from scoring.logic.answer_text import AnswerText
from scoring.logic.answers import GradedAnswer
from scoring.logic.findings import Finding, Json, Origin, Reason, Verdict
from scoring.logic.json_answers import Unread
from scoring.logic.ready_rules import ReadyRule, plain_number

COST = gettext_noop("The run cost $%(cost)s; allowed: at most $%(most)s")
COST_UNKNOWN = Reason(gettext_noop("The cost of the run is not known"))
LATENCY = gettext_noop("The run took %(time)s ms; allowed: at most %(most)d ms")
LATENCY_UNKNOWN = Reason(gettext_noop("The time of the run is not known"))
LONGER_THAN_READ = Reason(gettext_noop("The answer is longer than 100,000 characters, so longer than any maximum"))

# By unit, and by which bounds there are.
LENGTHS = {
    ("characters", "min"): gettext_noop("Characters: %(count)d; asked: at least %(min)d"),
    ("characters", "max"): gettext_noop("Characters: %(count)d; allowed: at most %(max)d"),
    ("characters", "min", "max"): gettext_noop("Characters: %(count)d; asked: from %(min)d to %(max)d"),
    ("words", "min"): gettext_noop("Words: %(count)d; asked: at least %(min)d"),
    ("words", "max"): gettext_noop("Words: %(count)d; allowed: at most %(max)d"),
    ("words", "min", "max"): gettext_noop("Words: %(count)d; asked: from %(min)d to %(max)d"),
}


class MaxCost(ReadyRule):
    """`max_cost_usd`: of the agent's run alone, in exact decimals; a run that cost nothing passes any maximum."""

    def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
        super().__init__(finding_id, origin, check)
        self.most = Decimal(str(check["value"]))

    def grade(self, answer: GradedAnswer, text: AnswerText) -> Finding:
        if answer.cost is None:
            return self.finding(Verdict.ERROR, COST_UNKNOWN)
        values = {"cost": plain_number(answer.cost), "most": plain_number(self.most)}
        verdict = Verdict.PASS if answer.cost <= self.most else Verdict.FAIL
        return self.finding(verdict, Reason(COST, values))


class MaxLatency(ReadyRule):
    """`max_latency_ms`: from the run's start to its end."""

    def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
        super().__init__(finding_id, origin, check)
        self.most: int = int(check["value"])

    def grade(self, answer: GradedAnswer, text: AnswerText) -> Finding:
        if answer.seconds is None:
            return self.finding(Verdict.ERROR, LATENCY_UNKNOWN)
        # Through its digits: 1.1 seconds times 1,000 is more than 1,100 in binary fractions.
        taken = Decimal(str(answer.seconds)) * 1000
        verdict = Verdict.PASS if taken <= self.most else Verdict.FAIL
        return self.finding(verdict, Reason(LATENCY, {"time": plain_number(taken), "most": self.most}))


class Length(ReadyRule):
    """`length`: characters as code points of the answer as it is, words as runs of what is no whitespace."""

    def __init__(self, finding_id: str, origin: Origin, check: Json) -> None:
        super().__init__(finding_id, origin, check)
        self.counts_words = check["unit"] == "words"
        self.bounds: dict[str, int] = {name: check[name] for name in ("min", "max") if check.get(name) is not None}
        self.least: int = self.bounds.get("min", 0)
        self.most: int = self.bounds.get("max", LIMITS.answer_characters)
        self.said = LENGTHS[(check["unit"], *self.bounds)]
        self._found: dict[int, Finding] = {}

    def grade(self, answer: GradedAnswer, text: AnswerText) -> Finding:
        read = text.at(self.path, self.shown_path)
        if isinstance(read, Unread):
            return self.unread(read)
        if read.is_cut and "max" in self.bounds:
            return self.finding(Verdict.FAIL, LONGER_THAN_READ)
        count = len(read.plain.split()) if self.counts_words else len(read.whole)
        return self._found.get(count) or self._measured(count, read.is_cut)

    def _measured(self, count: int, is_cut: bool) -> Finding:
        fits = self.least <= count and (is_cut or count <= self.most)
        verdict = Verdict.PASS if fits else Verdict.FAIL
        found = self.finding(verdict, Reason(self.said, {"count": count, **self.bounds}))
        if len(self._found) < 1_000:
            self._found[count] = found
        return found
