"""Grading the answers of a test run: rules in batches, what needs the judge handed on, results stored in groups.

The first grading of an answer is done here and not by scoring's own jobs, so that it keeps to the run's limits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from activity.models import Run
from activity.operations.helper_runs import store_helper_runs
from evals.logic import causes
from evals.logic.attempt_ends import MEANS, AttemptEnd
from evals.models import Attempt, AttemptState, EvalRun, Worker
from evals.operations.claiming import LOSSES, Room, claim_ungraded
from evals.operations.storing import Held
from scoring.logic.checks import CheckRunner
from scoring.logic.criteria import asked_criteria
from scoring.logic.findings import Verdict
from scoring.logic.pins import Pin
from scoring.logic.verdicts import findings_without_verdict
from scoring.models import JudgeTrouble, Score, ScoreState
from scoring.operations.graded_rows import GIVEN_UP, Finished, not_gradable, store_graded
from scoring.operations.grading import end_without_grading
from scoring.operations.judging import Judged
from scoring.operations.ruling import Ruled, grade_by_rules
from scoring.queries.grading_material import material_of

# So many stored answers that nobody grades are taken up at once.
AT_ONCE = 100


@dataclass(frozen=True)
class ToJudge:
    """An answer whose rules are graded, and whose judge is still to be asked."""

    attempt_id: UUID
    ruled: Ruled


def grade_held(worker: Worker, runner: CheckRunner, held: Sequence[Held]) -> list[ToJudge]:
    """Grade by rules, store what they decide, and give what the judge is to be asked about."""
    if not held:
        return []
    attempts = {one.material.score.id: one.attempt_id for one in held}
    ruled = grade_by_rules(runner, [one.material for one in held])
    to_judge = [ToJudge(attempts[one.score.id], one) for one in ruled if one.needs_judge]
    ended = [(attempts[one.score.id], one.finished()) for one in ruled if not one.needs_judge]
    with transaction.atomic():
        store_ends(worker, ended)
        if to_judge:
            begun = Attempt.objects.filter(pk__among=[one.attempt_id for one in to_judge], worker=str(worker.pk))
            begun.filter(state=AttemptState.ANSWERED).update(state=AttemptState.GRADING)
    return to_judge


@transaction.atomic
def store_ends(worker: Worker, ended: Sequence[tuple[UUID, Finished]]) -> None:
    """Store results, and their attempts as done; what another worker took over meanwhile is left to that one."""
    if not ended:
        return
    _store_runs_of_judge([finished.judged.run for _attempt, finished in ended if finished.judged])
    store_graded([finished for _attempt, finished in ended], claim=worker.pk)
    mine = Attempt.objects.filter(pk__among=[attempt_id for attempt_id, _finished in ended], worker=str(worker.pk))
    mine.filter(state__in=(AttemptState.ANSWERED, AttemptState.GRADING)).update(**_done())


def _store_runs_of_judge(runs: Sequence[Run | None]) -> None:
    """Those that were collected; others are stored already."""
    store_helper_runs([run for run in runs if run is not None and run._state.adding])


def take_up_stored(worker: Worker, room: Room) -> tuple[list[Held], int]:
    """Answers that are stored and that nobody grades, ready to be graded; and how many were taken up at all.

    Those whose grading is stored already, or that cannot be graded, are done at once. A score that was deleted leaves
    nothing to grade.
    """
    taken = claim_ungraded(worker, room)
    if not taken:
        return [], 0
    attempts = {score_id: attempt_id for attempt_id, score_id, _losses in taken if score_id}
    lost = {score_id for _attempt, score_id, losses in taken if losses >= LOSSES}
    mine = Score.objects.filter(pk__among=attempts, claim=worker.pk, state=ScoreState.WAITING)
    waiting = list(mine.values_list("pk", flat=True))
    empty = _graded_as_empty(waiting)
    held, ended = [], []
    for material in material_of(waiting):
        score_id = material.score.id
        end = end_without_grading(material)
        if score_id in lost:
            end = not_gradable(score_id, material.settings, material.before, GIVEN_UP)
        if end is not None:
            ended.append((attempts[score_id], end))
        elif material.answer is not None:
            answer = replace(material.answer, text="") if score_id in empty else material.answer
            held.append(Held(attempts[score_id], replace(material, answer=answer)))
    store_ends(worker, ended)
    going_on = {one.attempt_id for one in held}
    rest = [attempt_id for attempt_id, *_rest in taken if attempt_id not in going_on]
    Attempt.objects.filter(pk__among=rest, state=AttemptState.GRADING, worker=str(worker.pk)).update(**_done())
    return held, len(taken)


def settle(run: EvalRun, worker: Worker) -> None:
    """Grade the answers that are left when a run ends early by rules alone, so that no score waits for ever."""
    with CheckRunner() as runner:
        while True:
            held, taken = take_up_stored(worker, Room(AT_ONCE, AT_ONCE, is_idle=True))
            if not taken:
                return
            to_judge = grade_held(worker, runner, held)
            store_ends(worker, [_without_judge(run, one) for one in to_judge])


def _without_judge(run: EvalRun, one: ToJudge) -> tuple[UUID, Finished]:
    """The result of an answer whose judge is not asked, because the run ended before: skipped, to be scored again."""
    ruled, why = one.ruled, causes.ENDED_BEFORE_JUDGE
    criteria = asked_criteria(ruled.case, ruled.settings)
    found = findings_without_verdict(criteria, causes.ENDED, Verdict.SKIPPED, why, ruled.case, ruled.answer)
    judged = Judged(found, Pin.of_json(run.pin), trouble=JudgeTrouble.SKIPPED.value)
    return one.attempt_id, ruled.finished(judged)


def _graded_as_empty(score_ids: Sequence[UUID]) -> set[UUID]:
    """Those whose agent reached a limit of its own, whatever it had written until then (EV-D19)."""
    limits = [status for status, means in MEANS.items() if means is AttemptEnd.EMPTY_ANSWER]
    runs = Run.objects.filter(status__in=limits)
    rows = Attempt.objects.filter(score__in=score_ids, agent_run__in=runs)
    return {score_id for score_id in rows.values_list("score_id", flat=True) if score_id}


def _done() -> dict[str, Any]:
    return {"state": AttemptState.DONE, "done_at": timezone.now(), "worker": "", "leased_until": None}
