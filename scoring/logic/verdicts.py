"""From what a judge said to a finding on every criterion it was asked for (SC-105 to SC-122, SC-D40, SC-D41)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from core.limits import LIMITS
from datasets.logic.credentials import hide
from datasets.logic.drafts import CaseDraft
from scoring.logic.answers import GradedAnswer
from scoring.logic.causes import EMPTY_ANSWER, REPEATS_COUNTER_EXAMPLE, Cause, GradeFault
from scoring.logic.counter_examples import fault_of_a_pass, repeats_counter_example
from scoring.logic.criteria import AskedCriterion
from scoring.logic.findings import Finding, Origin, Quote, Reason, Verdict
from scoring.logic.prompt import sent_answer
from scoring.logic.quotes import Passages, is_empty, normalised
from scoring.logic.replies import Entry, Reading, id_key
from scoring.logic.settings import Settings
from scoring.logic.words import is_restated


@dataclass(frozen=True)
class _Case:
    """What the grades of one answer are held against; made once for all of its criteria."""

    answer: str
    passages: Passages
    counter_example: str
    settings: Settings


def findings_of(
    reading: Reading,
    criteria: Sequence[AskedCriterion],
    case: CaseDraft,
    answer_text: str,
    settings: Settings,
) -> tuple[Finding, ...]:
    """A finding for each criterion asked for, in their order, whatever the reply holds (SC-D40).

    `answer_text` is the answer, whole or as it was sent. A criterion passes only by a grade of its own.
    """
    if reading.why is not None:
        answer = GradedAnswer(answer_text)
        return findings_without_verdict(criteria, Cause.UNREADABLE, Verdict.ERROR, reading.why, case, answer)
    answer_sent = sent_answer(answer_text)
    held = _Case(answer_sent, Passages(answer_sent), case.counter_example or "", settings)
    entries: dict[str, list[Entry]] = {}
    for entry in reading.entries:
        entries.setdefault(id_key(entry.criterion), []).append(entry)
    return tuple(_finding(one, entries.get(id_key(one.id), []), held) for one in criteria)


def findings_without_verdict(
    criteria: Sequence[AskedCriterion],
    cause: str,
    verdict: Verdict,
    why: Reason,
    case: CaseDraft,
    answer: GradedAnswer,
) -> tuple[Finding, ...]:
    """The same where the judge could not grade: skipped or an error, with the cause (SC-129, SC-D42).

    An answer that is the counter-example fails that criterion all the same, since this needs no model (SC-D40 rule 1).
    """
    is_bad = bool(case.counter_example) and repeats_counter_example(
        sent_answer(answer.text), case.counter_example or ""
    )
    return tuple(
        _about(one, Verdict.FAIL, why=REPEATS_COUNTER_EXAMPLE)
        if is_bad and one.origin is Origin.COUNTER_EXAMPLE
        else _about(one, verdict, why=why, cause=str(cause))
        for one in criteria
    )


def findings_of_empty_answer(criteria: Sequence[AskedCriterion]) -> tuple[Finding, ...]:
    """The same for an answer without text and without calls, for which no judge is called (SC-D15)."""
    return tuple(
        _about(one, Verdict.PASS, why=EMPTY_ANSWER, is_unverified=True)
        if one.origin is Origin.COUNTER_EXAMPLE
        else _about(one, Verdict.FAIL, why=EMPTY_ANSWER)
        for one in criteria
    )


def _finding(one: AskedCriterion, entries: Sequence[Entry], held: _Case) -> Finding:
    """The first rule of SC-D40 that matches. A grade beside an error is shown and counts for nothing."""
    said, verified = _said(entries[0], held) if len(entries) == 1 else ({}, ())
    if one.origin is Origin.COUNTER_EXAMPLE and repeats_counter_example(held.answer, held.counter_example):
        return _about(one, Verdict.FAIL, why=REPEATS_COUNTER_EXAMPLE, **said)
    if len(entries) != 1:
        return _fault(one, GradeFault.GRADED_TWICE if entries else GradeFault.NOT_GRADED)
    entry = entries[0]
    if not _is_on_scale(entry, held):
        return _fault(one, GradeFault.OUTSIDE_SCALE, **said)
    passes = entry.grade >= held.settings.pass_at
    spares_counter_example = passes and one.origin is Origin.COUNTER_EXAMPLE
    if spares_counter_example and (fault := fault_of_a_pass(verified, held.answer, held.counter_example)):
        return _fault(one, fault, **said)
    if (
        not verified
        and not spares_counter_example
        and is_restated(entry.reason[: LIMITS.judge_reason_characters], one.criterion)
    ):
        return _fault(one, GradeFault.REPEATS_CRITERION, **said)
    is_unverified = not verified and (entry.grade == held.settings.scale or spares_counter_example)
    return _about(one, Verdict.PASS if passes else Verdict.FAIL, is_unverified=is_unverified, **said)


def _is_on_scale(entry: Entry, held: _Case) -> bool:
    return 1 <= entry.grade <= held.settings.scale


def _said(entry: Entry, held: _Case) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The entry as it is kept, and its quotes that the answer contains; verified before credentials are hidden.

    What is cut is hidden first, or half of a credential would stay that nobody knows for one. A grade outside the scale
    is none, and nobody is to average it (BC-26).
    """
    quotes = [(quote, held.passages.contain(quote)) for quote in _cleaned(entry.quotes)]
    said = {
        "grade": entry.grade if _is_on_scale(entry, held) else None,
        "reason": hide(entry.reason).text[: LIMITS.judge_reason_characters],
        "rule": hide(entry.rule).text[: LIMITS.judge_rule_characters],
        "quotes": tuple(Quote(hide(quote).text, verified) for quote, verified in quotes),
    }
    return said, tuple(quote for quote, verified in quotes if verified)


def _cleaned(quotes: Sequence[str]) -> Iterator[str]:
    """The first twelve that say something, are not too long and are not there yet (SC-109, SC-112, SC-D41)."""
    seen: set[str] = set()
    for quote in quotes:
        if is_empty(quote) or len(quote) > LIMITS.judge_quote_characters or normalised(quote) in seen:
            continue
        seen.add(normalised(quote))
        yield quote
        if len(seen) == LIMITS.judge_quotes:
            return


def _fault(one: AskedCriterion, fault: GradeFault, **said: Any) -> Finding:
    return _about(one, Verdict.ERROR, why=fault.reason, cause=fault.value, **said)


def _about(one: AskedCriterion, verdict: Verdict, **found: Any) -> Finding:
    return Finding(
        id=one.id,
        origin=one.origin,
        verdict=verdict,
        name=one.name or one.criterion,
        about={"criterion": one.criterion},
        required=one.required,
        **found,
    )
