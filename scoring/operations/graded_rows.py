"""Storing what grading found, in few statements; what was erased meanwhile is stored without words (ACC-D35)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from activity.operations.bulk_rows import update_rows
from core.json_text import json_text
from core.problems import gettext_noop
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Graded, Outcome, Reason, State, Verdict
from scoring.logic.pins import pin_hash
from scoring.logic.rules import JUDGED
from scoring.logic.settings import Settings
from scoring.models import JudgeTrouble, Score, ScoreState, WaitingAnswer
from scoring.operations.claims import held
from scoring.operations.judging import Judged

ANSWER_GONE = Reason(gettext_noop("The answer is gone, so it could not be graded"))
CASE_ERASED = Reason(gettext_noop("The text of the case was erased before the answer was graded"))
GIVEN_UP = Reason(gettext_noop("Grading was cut off several times, so it was given up"))

DONE = (
    "state",
    "outcome",
    "number",
    "why",
    "results",
    "judge_trouble",
    "graded_at",
    "claim",
    "claimed_at",
    "claims",
)
# What a score keeps of an earlier grading where the judge had no part in this one.
JUDGE_PART = ("pin", "pin_hash", "unreadable_reply", "judge_run_id", "judge_cost")


@dataclass(frozen=True)
class Finished:
    """What one score's grading found. `judged` is None where the judge had no part, or its earlier verdicts stay."""

    score_id: UUID
    graded: Graded
    judged: Judged | None = None


def store_graded(finished: Sequence[Finished], *, claim: UUID) -> int:
    """Store the results of scores that this worker still holds; how many. The others were deleted or taken over."""
    if not finished:
        return 0
    results = {one.score_id: one for one in finished}
    with transaction.atomic():
        locked = held(list(results), claim=claim).values_list("pk", "answer_removed_at")
        stored = [_of_erased(results[score_id]) if removed_at else results[score_id] for score_id, removed_at in locked]
        # The rows are locked. What the ORM would make of so many columns of so many rows takes longer than grading.
        done = _Done(timezone.now())
        judged = [(one, one.judged) for one in stored if one.judged]
        both = ((one.score_id, (*done.row(one.graded), *_judge_part(by))) for one, by in judged)
        update_rows(Score, (*DONE, *JUDGE_PART), both)
        update_rows(Score, DONE, ((one.score_id, done.row(one.graded)) for one in stored if not one.judged))
        WaitingAnswer.objects.filter(score__pk__among=[one.score_id for one in stored]).delete()
    return len(stored)


class _Done:
    """What the columns of `DONE` take; JSON goes as its text.

    Rules share their findings among answers (logic/ready_rules), so the text of each finding is made once.
    """

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._texts: dict[int, tuple[Finding, str]] = {}

    def row(self, graded: Graded) -> tuple[Any, ...]:
        why = json_text(graded.why.as_json()) if graded.why else None
        results = f"[{','.join(map(self._result, graded.results))}]"
        outcome, trouble = graded.outcome.value, _trouble(graded)
        return (ScoreState.DONE.value, outcome, graded.number, why, results, trouble, self._now, None, None, 0)

    def _result(self, result: EvaluatorResult) -> str:
        """Its findings are the last of its JSON."""
        around = json_text(replace(result, findings=()).as_json()).removesuffix("]}")
        return f"{around}{','.join(map(self._finding, result.findings))}]}}"

    def _finding(self, finding: Finding) -> str:
        made = self._texts.get(id(finding))
        if made is None:
            # The finding is kept too: another one could get its identity.
            made = self._texts[id(finding)] = (finding, json_text(finding.as_json()))
        return made[1]


def _judge_part(judged: Judged) -> tuple[Any, ...]:
    """What the columns of `JUDGE_PART` take."""
    pin = json_text(judged.pin.as_json()) if judged.pin else None
    run_id = judged.run.pk if judged.run else None
    return (pin, pin_hash(judged.pin), judged.unreadable_reply, run_id, judged.cost)


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


def _of_erased(found: Finished) -> Finished:
    judged = replace(found.judged, unreadable_reply="") if found.judged else None
    return replace(found, graded=without_words(found.graded), judged=judged)


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
