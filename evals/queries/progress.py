"""How far a test run is, counted by the database: a page asks every two seconds (EV-D18)."""

from typing import Any

from django.db.models import Count, Sum
from django.utils import timezone

from evals.logic.progress import LAST, Progress, from_counts, seconds_left
from evals.logic.results import ENDED, Tally
from evals.logic.results import Sum as Money
from evals.models import Attempt, AttemptKind, EvalRun, EvalState
from evals.queries.final_outcomes import HAS_ENDED, HAS_FAILED, HAS_PASSED, UNKNOWN_COST, UNKNOWN_JUDGE_COST
from evals.queries.listed_runs import money_of


def progress_of_run(run: EvalRun, *, confirming: bool | None = None) -> Progress:
    """Of the pass that is going on, or of the one asked for; one statement. A pass not begun is empty."""
    return progress_of_passes(run)[_kind(run, confirming)]


def progress_of_passes(run: EvalRun) -> dict[AttemptKind, Progress]:
    """Of both passes, in one statement."""
    counted = Attempt.objects.filter(run=run).order_by().values("kind", "state")
    rows = counted.annotate(
        count=Count("pk"),
        passed=Count("pk", filter=HAS_ENDED & HAS_PASSED),
        failed=Count("pk", filter=HAS_ENDED & HAS_FAILED),
        answering=Sum("cost"),
        grading=Sum("score__judge_cost"),
        unknown=Count("pk", filter=UNKNOWN_COST | UNKNOWN_JUDGE_COST),
    )
    read = list(rows)
    return {kind: _progress([row for row in read if row["kind"] == kind]) for kind in AttemptKind}


def seconds_left_of(run: EvalRun, progress: Progress, *, confirming: bool | None = None) -> float | None:
    """How long the pass will still take, from its last 20 attempts; None while that is not known, or it has ended, and
    where nothing more is asked for: what is under way has no pace."""
    if run.is_final or run.state == EvalState.CANCELLING or not progress.left:
        return None
    ended = Attempt.objects.filter(run=run, kind=_kind(run, confirming), state__in=ENDED, done_at__isnull=False)
    last = ended.order_by("-done_at").values_list("done_at", flat=True)[:LAST]
    moments = [moment.timestamp() for moment in last if moment is not None]
    return seconds_left(moments, timezone.now().timestamp(), progress.left)


def _kind(run: EvalRun, confirming: bool | None) -> AttemptKind:
    is_confirming = run.state == EvalState.CONFIRMING if confirming is None else confirming
    return AttemptKind.CONFIRM if is_confirming else AttemptKind.FIRST


def _progress(rows: list[Any]) -> Progress:
    ended = [row for row in rows if row["state"] in ENDED]
    passed, failed, count = (sum(row[name] for row in ended) for name in ("passed", "failed", "count"))
    cost = Money()
    for row in rows:
        cost += money_of(row)
    states = {row["state"]: row["count"] for row in rows}
    return from_counts(states, Tally(passed, failed, count - passed - failed), cost)
