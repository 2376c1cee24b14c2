"""What grading found: a verdict on each check and criterion, on each evaluator, and the outcome of the case.

Everything here has a form of plain JSON (`as_json`, `of_json`), in which a score keeps it. What we say ourselves is
kept as a text with values, so that each reader gets it in their language; what a judge wrote is kept as it wrote it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

Json = dict[str, Any]


class Evaluator(StrEnum):
    """The four ways of grading, by their keys in the settings (SC-1)."""

    CHECKS = "checks"
    TOOL_CALLS = "tool_calls"
    JUDGE = "judge"
    REFERENCE_ANSWER = "reference_answer"


class Verdict(StrEnum):
    """On one check or criterion. An error was tried and brought no verdict; what is skipped was not tried (SC-D42)."""

    PASS = "pass"  # noqa: S105 - a word, no password
    FAIL = "fail"
    ERROR = "error"
    SKIPPED = "skipped"

    @property
    def is_reached(self) -> bool:
        return self in (Verdict.PASS, Verdict.FAIL)


class State(StrEnum):
    """Of one evaluator for one answer. Not applicable: it is on and the case gives it nothing to check (SC-D7)."""

    PASS = "pass"  # noqa: S105 - a word, no password
    FAIL = "fail"
    NO_VERDICT = "no_verdict"
    NOT_APPLICABLE = "not_applicable"


class Outcome(StrEnum):
    """Of one case (SC-11 to SC-14)."""

    PASS = "pass"  # noqa: S105 - a word, no password
    FAIL = "fail"
    UNSCORED = "unscored"


class Origin(StrEnum):
    """What a finding is about, which decides how it is shown."""

    CASE_CHECK = "case_check"  # id "check-N": the case's check at place N, from 1
    DEFAULT_CHECK = "default_check"  # id "default-N": the dataset's default check at place N, from 1
    CALLS = "calls"  # id "tool-calls"
    CRITERION = "criterion"  # id of a criterion of the rubric
    CASE_CRITERION = "case_criterion"  # id "check-N": the case's `judge` check at place N, from 1
    REFERENCE_ANSWER = "reference_answer"  # id "reference-answer"
    COUNTER_EXAMPLE = "counter_example"  # id "counter-example"


@dataclass(frozen=True)
class Reason:
    """Our own words: `text % values` is the sentence in English. Texts are marked with `core.problems.gettext_noop`."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def in_english(self) -> str:
        return self.text % self.values if self.values else self.text % {}

    def as_json(self) -> Json:
        return {"text": self.text, "values": dict(self.values)}

    @classmethod
    def of_json(cls, stored: Json | None) -> Self | None:
        return cls(stored["text"], stored["values"]) if stored else None


@dataclass(frozen=True)
class Quote:
    """A passage that the judge quoted; verified where the answer contains it (SC-110)."""

    text: str
    verified: bool


@dataclass(frozen=True)
class Finding:
    """One check, the expected calls, or one criterion.

    `name` is what is shown as its heading: the type of a check, the name or the words of a criterion. `about` is the
    check or the criterion as it was graded. `why` are our own words: what a rule found, why there is no verdict.
    The rest is the judge's: `grade`, `reason`, `rule`, `quotes`; `is_unverified` marks a kept grade that rests on
    nothing found in the answer (SC-108, SC-120). `cause` is the stable name of why there is no verdict (logic/causes).
    """

    id: str
    origin: Origin
    verdict: Verdict
    name: str = ""
    about: Any = None
    required: bool = True
    why: Reason | None = None
    cause: str = ""
    grade: int | None = None
    reason: str = ""
    rule: str = ""
    quotes: tuple[Quote, ...] = ()
    is_unverified: bool = False

    def as_json(self) -> Json:
        """Its fields, without those that say nothing."""
        found: Json = {"id": self.id, "origin": self.origin.value, "verdict": self.verdict.value, "name": self.name}
        if not self.required:
            found["required"] = False
        if self.why:
            found["why"] = self.why.as_json()
        if self.quotes:
            found["quotes"] = [{"text": quote.text, "verified": quote.verified} for quote in self.quotes]
        for name in ("about", "cause", "grade", "reason", "rule"):
            value = getattr(self, name)
            if value not in (None, ""):
                found[name] = value
        if self.is_unverified:
            found["is_unverified"] = True
        return found

    @classmethod
    def of_json(cls, stored: Json) -> Self:
        given = dict(stored)
        given["origin"], given["verdict"] = Origin(stored["origin"]), Verdict(stored["verdict"])
        given["why"] = Reason.of_json(stored.get("why"))
        given["quotes"] = tuple(Quote(quote["text"], quote["verified"]) for quote in stored.get("quotes", ()))
        return cls(**given)

    def without_words(self) -> Self:
        """The same without anything that may hold words of a case or an answer (SC-D61, SC-168)."""
        return replace(self, name="", about=None, why=None, reason="", rule="", quotes=())


@dataclass(frozen=True)
class EvaluatorResult:
    """What one evaluator found; `number` is from 0 to 1, None without a verdict (SC-10, SC-D9)."""

    evaluator: Evaluator
    must_pass: bool
    state: State
    number: float | None = None
    why: Reason | None = None
    findings: tuple[Finding, ...] = ()

    def as_json(self) -> Json:
        return {
            "evaluator": self.evaluator.value,
            "must_pass": self.must_pass,
            "state": self.state.value,
            "number": self.number,
            "why": self.why.as_json() if self.why else None,
            "findings": [finding.as_json() for finding in self.findings],
        }

    @classmethod
    def of_json(cls, stored: Json) -> Self:
        return cls(
            Evaluator(stored["evaluator"]),
            stored["must_pass"],
            State(stored["state"]),
            stored["number"],
            Reason.of_json(stored["why"]),
            tuple(Finding.of_json(finding) for finding in stored["findings"]),
        )


@dataclass(frozen=True)
class Graded:
    """The outcome of a case, why it is unscored where it is (SC-15), its number, and what each evaluator found."""

    outcome: Outcome
    number: float | None
    results: tuple[EvaluatorResult, ...]
    why: Reason | None = None
