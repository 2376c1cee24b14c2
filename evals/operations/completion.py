"""What comes when attempts have ended: confirming what changed, completing the run, ending it early (EV-D46 to D49)."""

from enum import Enum
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from activity.operations.bulk_rows import insert_rows
from core.ids import new_id
from evals.logic.classes import CaseChange, to_confirm
from evals.logic.review_choice import JUDGE_ERROR, attempt_for_review
from evals.logic.run_results import RunResults
from evals.models import Attempt, AttemptKind, AttemptState, EvalRun, EvalState
from evals.operations.queueing import ACTIVE_STATES, begin_queued
from evals.operations.workers import live_workers, lock_organisation
from evals.places import review_sender
from evals.queries.results import results_of
from evals.queries.totals import baseline_changes
from scoring.logic.findings import Reason

OPEN = (AttemptState.PENDING, AttemptState.ANSWERING, AttemptState.ANSWERED, AttemptState.GRADING)
ROW = ("id", "run_id", "item_id", "number", "kind", "state")


class Next(Enum):
    """What becomes of a run now."""

    GOES_ON = "goes_on"
    ENDED = "ended"


def advance(run: EvalRun) -> Next:
    """Where every attempt has ended: begin to confirm, or complete the run. Safe to repeat, and at once by several."""
    found = _advance(run)
    if found is Next.ENDED:
        let_others_begin(run)
    return found


@transaction.atomic
def _advance(run: EvalRun) -> Next:
    locked = _locked(run.pk)
    if locked is None or locked.state not in ACTIVE_STATES:
        return Next.ENDED
    if Attempt.objects.filter(run=locked, state__in=OPEN).exists():
        return Next.GOES_ON
    results = results_of(locked)
    changes = baseline_changes(locked, results)
    if _lay_down_confirming(locked, results, changes or {}):
        EvalRun.objects.filter(pk=locked.pk).update(state=EvalState.CONFIRMING, progress_at=timezone.now())
        return Next.GOES_ON
    _complete(locked, results, changes or {})
    return Next.ENDED


def note_confirming(run: EvalRun) -> None:
    """A run that was resumed while it confirmed is confirming again, once its first pass has no open attempt."""
    if run.state != EvalState.RUNNING:
        return
    open_ones = Attempt.objects.filter(run=run, state__in=OPEN)
    if open_ones.filter(kind=AttemptKind.CONFIRM).exists() and not open_ones.filter(kind=AttemptKind.FIRST).exists():
        EvalRun.objects.filter(pk=run.pk, state=EvalState.RUNNING).update(state=EvalState.CONFIRMING)


@transaction.atomic
def end_early(run: EvalRun, state: EvalState, cause: Reason | None) -> None:
    """End a run as cancelled, stopped or failed; what was graded stays, what nobody is at any more is cancelled."""
    locked = _locked(run.pk)
    if locked is None or locked.is_final:
        return
    now = timezone.now()
    at_work = [str(key) for key in live_workers().filter(run=locked).values_list("pk", flat=True)]
    left = Attempt.objects.filter(run=locked, state__in=(AttemptState.PENDING, AttemptState.ANSWERING))
    left.exclude(state=AttemptState.ANSWERING, worker__in=at_work).update(
        state=AttemptState.CANCELLED, worker="", leased_until=None, done_at=now
    )
    told = cause.as_json() if cause else None
    EvalRun.objects.filter(pk=locked.pk).update(state=state, cause=told, finished_at=now, progress_at=now)
    transaction.on_commit(lambda: let_others_begin(run))


@transaction.atomic
def let_others_begin(run: EvalRun) -> None:
    """A run has ended: the oldest that waits may begin (EV-D21)."""
    lock_organisation(run.organisation_id)
    begin_queued(run.organisation_id)


def _locked(run_id: UUID) -> EvalRun | None:
    rows = EvalRun.objects.select_for_update(no_key=True, of=("self",)).select_related("baseline")
    return rows.filter(pk=run_id).first()


def _lay_down_confirming(run: EvalRun, results: RunResults, changes: dict[UUID, CaseChange]) -> int:
    """Attempts for the changed cases that have none for confirming yet, regressions first; how many."""
    if not run.confirm_changes:
        return 0
    begun = {item.case_id for item in results.items if item.confirming}
    waiting = [(key, one) for key, one in changes.items() if key not in begun]
    cases = to_confirm(waiting, max(0, settings.EVAL_CONFIRM_MAX_CASES - len(begun)))
    rows: list[tuple[Any, ...]] = []
    for case_id in cases:
        item = results.by_case[case_id]
        last = max(one.number for one in item.attempts)
        for number in range(last + 1, last + 1 + settings.EVAL_CONFIRM_ATTEMPTS):
            rows.append((new_id(), run.pk, item.id, number, AttemptKind.CONFIRM.value, AttemptState.PENDING.value))
    if rows:
        insert_rows(Attempt, ROW, rows)
    return len(rows)


def _complete(run: EvalRun, results: RunResults, changes: dict[UUID, CaseChange]) -> None:
    """Once, with what goes to review in the same transaction (EV-D49)."""
    now = timezone.now()
    run.state, run.finished_at, run.progress_at, run.cause = EvalState.COMPLETED, now, now, None
    run.review = _reviewed(run, results, changes)
    run.save(update_fields=["state", "finished_at", "progress_at", "cause", "review"])


def _reviewed(run: EvalRun, results: RunResults, changes: dict[UUID, CaseChange]) -> dict[str, Any]:
    """What is kept of it: how many `regressions` and `judge_errors` were chosen, `sent`, `not_sent` with the cause of
    each, and the scores `to_send` where nobody takes them yet."""
    chosen = [attempt_for_review(item.attempts, changes.get(item.case_id)) for item in results.items]
    errors = sum(one is not None and one.judge_trouble == JUDGE_ERROR for one in chosen)
    scores = [one.score_id for one in chosen if one is not None and one.score_id]  # type: ignore[attr-defined]
    kept: dict[str, Any] = {"regressions": len(scores) - errors, "judge_errors": errors, "sent": 0, "not_sent": []}
    sender = review_sender()
    if sender is None or not scores:
        return kept | {"to_send": [str(score_id) for score_id in scores]}
    done = sender(run, scores)
    not_sent = [{"score": str(score_id), "cause": cause} for score_id, cause in done.not_sent.items()]
    return kept | {"sent": done.sent, "not_sent": not_sent, "to_send": []}
