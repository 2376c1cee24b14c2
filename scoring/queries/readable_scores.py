"""The one projection of a score: all that this actor may read of it, and nothing else (SC-168, ACC-33 to ACC-35).

The API and every page of the console show a score by what is here and by no field of its row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from accounts.actor import Actor
from scoring.logic.answers import MadeCall
from scoring.logic.copies import calls_of_json
from scoring.logic.findings import EvaluatorResult, Finding, Quote, Reason, State, Verdict
from scoring.logic.pins import Pin
from scoring.models import Score, ScoreAttempt
from scoring.places import runs_of_scores
from scoring.queries.reason_words import EVALUATOR_LABELS, STATE_LABELS, VERDICT_LABELS, heading_of, in_words
from scoring.queries.score_rows import ScoreRow, marks_of, newest_pin, readable_row, seen_cases_of, sight_of

FAILED_FIRST = (State.FAIL, State.NO_VERDICT, State.PASS, State.NOT_APPLICABLE)
FAILED_FIRST_OF_FINDINGS = (Verdict.FAIL, Verdict.ERROR, Verdict.SKIPPED, Verdict.PASS)


@dataclass(frozen=True)
class ReadableFinding:
    """A check or criterion with its words; only for who may read them."""

    finding: Finding

    @property
    def heading(self) -> str:
        return heading_of(self.finding)

    @property
    def verdict_label(self) -> str:
        return str(VERDICT_LABELS[self.finding.verdict])

    @property
    def why(self) -> str:
        """Our own words."""
        return in_words(self.finding.why)

    @property
    def verified_quotes(self) -> list[Quote]:
        return [quote for quote in self.finding.quotes if quote.verified]

    @property
    def unverified_quotes(self) -> list[Quote]:
        """Those that the answer does not contain, for a line of their own (SC-111)."""
        return [quote for quote in self.finding.quotes if not quote.verified]


@dataclass(frozen=True)
class ReadableResult:
    """What one evaluator found. Its state and number are open to every reader, `why` and `findings` are not."""

    result: EvaluatorResult
    is_readable: bool

    @property
    def label(self) -> str:
        return str(EVALUATOR_LABELS[self.result.evaluator])

    @property
    def state_label(self) -> str:
        return str(STATE_LABELS[self.result.state])

    @property
    def why(self) -> str:
        return in_words(self.result.why)

    @cached_property
    def findings(self) -> list[ReadableFinding]:
        """As they were asked for; none for who may not read them."""
        return [ReadableFinding(finding) for finding in self.result.findings]

    @property
    def failed_first(self) -> list[ReadableFinding]:
        """The failed ones first (RV-24)."""
        return sorted(self.findings, key=lambda one: FAILED_FIRST_OF_FINDINGS.index(one.finding.verdict))


@dataclass(frozen=True)
class ReadableAttempt:
    """An earlier try at grading the score, to be read only (SC-D59)."""

    attempt: ScoreAttempt
    is_readable: bool

    @property
    def why(self) -> str:
        return in_words(Reason.of_json(self.attempt.why)) if self.is_readable else ""

    @property
    def results(self) -> list[ReadableResult]:
        return results_of(self.attempt.results, is_readable=self.is_readable)

    @property
    def pin(self) -> Pin | None:
        return Pin.of_json(self.attempt.pin)

    @property
    def unreadable_reply(self) -> str:
        return self.attempt.unreadable_reply if self.is_readable else ""

    @property
    def graded_at(self) -> datetime | None:
        return self.attempt.graded_at


@dataclass(frozen=True)
class ReadableScore(ScoreRow):
    """One score whole. What its reader may not read is not in here."""

    attempts: tuple[ReadableAttempt, ...] = ()

    @cached_property
    def results(self) -> list[ReadableResult]:
        """What each evaluator that was on found, in the order of the settings."""
        return results_of(self.score.results, is_readable=self.is_readable)

    @property
    def failed_first(self) -> list[ReadableResult]:
        """The failed ones first (RV-24)."""
        return sorted(self.results, key=lambda one: FAILED_FIRST.index(one.result.state))

    @property
    def answer(self) -> str:
        """The copy of the answer that was graded."""
        return self.score.answer if self.is_readable else ""

    @property
    def answer_was_cut(self) -> bool:
        return self.is_readable and self.score.answer_cut

    @property
    def answer_removed_at(self) -> datetime | None:
        """When the copy and every word about it were cleared; open to all, as what it says of a case is."""
        return self.score.answer_removed_at

    @property
    def calls(self) -> tuple[MadeCall, ...]:
        return calls_of_json(self.score.calls) if self.is_readable else ()

    @property
    def unreadable_reply(self) -> str:
        """The beginning of a judge's reply that could not be read (SC-131)."""
        return self.score.unreadable_reply if self.is_readable else ""


def readable_score(actor: Actor, score: Score) -> ReadableScore:
    """The score as the actor, who sees its dataset, may read it; its earlier attempts with it, the oldest first."""
    return readable_scores(actor, [score])[0]


def readable_scores(actor: Actor, scores: Sequence[Score]) -> list[ReadableScore]:
    """Several scores of one dataset, whole, in their order; few queries, however many they are."""
    if not scores:
        return []
    sight = sight_of(actor, scores)
    cases = seen_cases_of(actor, scores)
    newest, runs = newest_pin(scores[0].dataset_id), runs_of_scores(actor, scores)
    attempts: dict[Any, list[ScoreAttempt]] = {}
    for attempt in ScoreAttempt.objects.filter(score__in=scores).order_by("score", "number"):
        attempts.setdefault(attempt.score_id, []).append(attempt)
    found = []
    for score in scores:
        marks = marks_of(sight, score, newest)
        earlier = tuple(ReadableAttempt(one, marks["is_readable"]) for one in attempts.get(score.pk, ()))
        row = readable_row(sight, score)
        found.append(ReadableScore(row, cases.get(score.pk), **marks, test_run=runs.get(score.pk), attempts=earlier))
    return found


def results_of(stored: Sequence[dict[str, Any]], *, is_readable: bool) -> list[ReadableResult]:
    """The evaluators' results; without findings and reasons where these may not be read."""
    results = [EvaluatorResult.of_json(one) for one in stored]
    if not is_readable:
        results = [replace(result, why=None, findings=()) for result in results]
    return [ReadableResult(result, is_readable) for result in results]
