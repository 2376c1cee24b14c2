"""Storing what grading found, in few statements; what was erased meanwhile is stored without words (ACC-D35)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from activity.operations.bulk_rows import update_rows
from core.json_text import JsonText
from core.problems import gettext_noop
from scoring.logic.findings import Evaluator, EvaluatorResult, Graded, Outcome, Reason, State, Verdict
from scoring.logic.pins import pin_hash
from scoring.logic.rules import JUDGED
from scoring.logic.settings import Settings
from scoring.models import JudgeTrouble, Score, ScoreState, WaitingAnswer
from scoring.operations.claims import held
from scoring.operations.judging import Judged

ANSWER_GONE = Reason(gettext_noop("The answer is gone, so it could not be graded"))
CASE_ERASED = Reason(gettext_noop("The text of the case was erased before the answer was graded"))
GIVEN_UP = Reason(gettext_noop("Grading was cut off several times, so it was given up"))

STORED = (
    "state",
    "outcome",
    "number",
    "why",
    "results",
    "judge_trouble",
    "pin",
    "pin_hash",
    "unreadable_reply",
    "judge_run",
    "judge_cost",
    "graded_at",
    "claim",
    "claimed_at",
    "claims",
)
STORED_FIELDS = [field for field in Score._meta.concrete_fields if field.name in STORED]
# What a score keeps of an earlier grading where the judge had no part in this one.
STAYS_WITHOUT_JUDGE = ("pin", "pin_hash", "unreadable_reply", "judge_run", "judge_cost")


@dataclass(frozen=True)
class Finished:
    """What one score's grading found. `judged` is None where the judge had no part, or its earlier verdicts stay."""

    score_id: UUID
    graded: Graded
    judged: Judged | None = None


@transaction.atomic
def store_graded(finished: Sequence[Finished], *, claim: UUID) -> int:
    """Store the results of scores that this worker still holds; how many. The others were deleted or taken over."""
    results = {one.score_id: one for one in finished}
    scores = list(held(list(results), claim=claim).only("pk", "answer_removed_at", *STAYS_WITHOUT_JUDGE))
    for score in scores:
        _fill(score, results[score.pk])
    # The rows are locked. What the ORM would make of so many columns of so many rows takes longer than grading them.
    update_rows(Score, [field.attname for field in STORED_FIELDS], ((score.pk, _stored(score)) for score in scores))
    WaitingAnswer.objects.filter(score__in=scores).delete()
    return len(scores)


def _stored(score: Score) -> list[Any]:
    """What its columns take; JSON goes as its text."""
    values = [(field, getattr(score, field.attname)) for field in STORED_FIELDS]
    return [field.get_prep_value(value) if isinstance(field, JsonText) else value for field, value in values]


def not_gradable(score_id: UUID, settings: Settings, before: Sequence[EvaluatorResult], why: Reason) -> Finished:
    """A score that cannot be graded at all: unscored and says why; what an earlier grading found stays."""
    results = tuple(before) or tuple(
        EvaluatorResult(evaluator, evaluator in settings.must_pass, State.NO_VERDICT, why=why)
        for evaluator in Evaluator
        if evaluator in settings.on
    )
    numbers = [result.number for result in results if result.number is not None]
    number = sum(numbers) / len(numbers) if numbers else None
    return Finished(score_id, Graded(Outcome.UNSCORED, number, results, why))


def _fill(score: Score, found: Finished) -> None:
    graded = found.graded if score.answer_removed_at is None else without_words(found.graded)
    score.state, score.outcome, score.number = ScoreState.DONE, graded.outcome.value, graded.number
    score.why = graded.why.as_json() if graded.why else None
    score.results = [result.as_json() for result in graded.results]
    score.judge_trouble = _trouble(graded)
    if found.judged is not None:
        judged = found.judged
        score.pin, score.pin_hash = judged.pin.as_json() if judged.pin else None, pin_hash(judged.pin)
        score.judge_run, score.judge_cost = judged.run, judged.cost
        score.unreadable_reply = judged.unreadable_reply if score.answer_removed_at is None else ""
    score.graded_at, score.claim, score.claimed_at, score.claims = timezone.now(), None, None, 0


def without_words(graded: Graded) -> Graded:
    """The same without anything that may hold words of the case or the answer: states and numbers stay (SC-D61).

    A reason of ours without values, such as that the judge was off, holds nobody's words.
    """
    why = graded.why if graded.why and not graded.why.values else None
    return replace(graded, why=why, results=tuple(result_without_words(result) for result in graded.results))


def result_without_words(result: EvaluatorResult) -> EvaluatorResult:
    """One evaluator's result without words."""
    return replace(result, why=None, findings=tuple(finding.without_words() for finding in result.findings))


def _trouble(graded: Graded) -> str:
    """Whether the judge was called and brought no verdict, or was not called where it should have been (SC-D42)."""
    verdicts = {finding.verdict for result in graded.results for finding in result.findings if finding.origin in JUDGED}
    if Verdict.ERROR in verdicts:
        return JudgeTrouble.ERROR.value
    return JudgeTrouble.SKIPPED.value if Verdict.SKIPPED in verdicts else ""
