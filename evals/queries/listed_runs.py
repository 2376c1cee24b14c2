"""What a list of test runs says of each: its rate, what regressed, cost and duration (EV-D38), and the trend of rates.

Counted by the database for a whole page in three statements; the rules are those of logic/results and logic/classes,
which a test compares.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Count, F, Max, Min, QuerySet, Sum

from agents.models import Agent
from datasets.models import Dataset
from evals.logic.results import Sum as Money
from evals.logic.results import Tally
from evals.models import Attempt, EvalRun, EvalState
from evals.queries.final_outcomes import (
    CONFIRMS_NOTHING_YET,
    HAS_FAILED,
    HAS_PASSED,
    IS_CONFIRMING,
    IS_FIRST,
    UNKNOWN_COST,
    UNKNOWN_JUDGE_COST,
)

# Of an amount, as columns hold it.
PLACES = 10
# So many runs are in a trend at the most, the newest ones.
TREND = 50

RESULTS = """
    SELECT run_key,
        SUM(CASE WHEN passed > failed THEN 1 ELSE 0 END),
        SUM(CASE WHEN failed >= passed AND failed > 0 THEN 1 ELSE 0 END),
        SUM(CASE WHEN passed + failed = 0 THEN 1 ELSE 0 END)
    FROM ({items}) AS items GROUP BY run_key
"""
REGRESSED = """
    WITH items AS ({items}), changed AS (
        SELECT after.run_key,
            after.passed + after.failed + after.passed_again + after.failed_again AS judged,
            after.failed + after.failed_again AS bearing_out,
            after.confirming > 0 AND after.confirming_nothing_yet = 0
                AND COALESCE(after.least_pin, '') = COALESCE(before.least_pin, '')
                AND COALESCE(after.most_pin, '') = COALESCE(before.most_pin, '') AS is_settled
        FROM items AS after
        JOIN {runs} AS runs ON runs.id = after.run_key
        JOIN items AS before ON before.run_key = runs.baseline_id
            AND before.case_key = after.case_key AND before.revision_key = after.revision_key
        WHERE before.passed > before.failed AND after.failed >= after.passed AND after.failed > 0
    )
    SELECT run_key,
        SUM(CASE WHEN is_settled AND judged >= 2 AND 2 * bearing_out > judged THEN 1 ELSE 0 END),
        SUM(CASE WHEN is_settled THEN 0 ELSE 1 END)
    FROM changed GROUP BY run_key
"""


@dataclass(frozen=True)
class ListedRun:
    """`cases` is the rate's; `regressed_confirmed` and `regressed_unconfirmed` are against its baseline, 0 without one.

    `seconds` is from when it began to when it ended, None before.
    """

    run: EvalRun
    cases: Tally
    regressed_confirmed: int
    regressed_unconfirmed: int
    cost: Money
    seconds: float | None

    @property
    def regressed(self) -> int:
        return self.regressed_confirmed + self.regressed_unconfirmed


def listed_runs(runs: Iterable[EvalRun]) -> list[ListedRun]:
    """The runs of a page with their figures, in their order; three statements, whatever their number."""
    page = list(runs)
    tallies, regressed, costs = tallies_of(page), _regressed(page), costs_of(page)
    return [
        ListedRun(
            run,
            tallies.get(run.pk, Tally()),
            *regressed.get(run.pk, (0, 0)),
            cost=costs.get(run.pk, Money()),
            seconds=_seconds(run),
        )
        for run in page
    ]


def trend_of(dataset: Dataset, agent: Agent) -> list[tuple[EvalRun, Tally]]:
    """The completed runs of an agent on a dataset with their results, oldest first, at most the newest 50."""
    rows = EvalRun.objects.filter(dataset=dataset, agent=agent, state=EvalState.COMPLETED, archived_at=None)
    newest = rows.select_related("agent_version").defer("agent_version__spec").order_by("-created_at", "-id")[:TREND]
    page = list(newest)[::-1]
    tallies = tallies_of(page)
    return [(run, tallies.get(run.pk, Tally())) for run in page]


def tallies_of(runs: Sequence[EvalRun]) -> dict[UUID, Tally]:
    """The results of the cases of each run, by its id, in one statement."""
    if not runs:
        return {}
    items, values = _items({run.pk for run in runs})
    return {key: Tally(*counts) for key, *counts in _rows(RESULTS.format(items=items), values)}


def costs_of(runs: Sequence[EvalRun]) -> Mapping[UUID, Money]:
    """What each run cost, agent and judge together, by its id, in one statement."""
    if not runs:
        return {}
    rows = Attempt.objects.filter(run__in=[run.pk for run in runs]).order_by().values("run_id")
    summed = rows.annotate(
        answering=Sum("cost"),
        grading=Sum("score__judge_cost"),
        unknown=Count("pk", filter=UNKNOWN_COST | UNKNOWN_JUDGE_COST),
    )
    return {row["run_id"]: money_of(row) for row in summed}


def money_of(row: Mapping[str, Any]) -> Money:
    """The columns `answering`, `grading` and `unknown` of an aggregate as one amount.

    SQLite adds amounts as floating point numbers; rounded as they are stored, the sum is theirs again.
    """
    known = (row["answering"] or Decimal(0)) + (row["grading"] or Decimal(0))
    return Money(round(known, PLACES), is_at_least=bool(row["unknown"]))


def _regressed(runs: Sequence[EvalRun]) -> dict[UUID, tuple[int, int]]:
    """Confirmed and unconfirmed ones of each run that has a baseline."""
    compared = [run for run in runs if run.baseline_id]
    if not compared:
        return {}
    items, values = _items({run.pk for run in compared} | {run.baseline_id for run in compared if run.baseline_id})
    table = connection.ops.quote_name(EvalRun._meta.db_table)
    wanted = {run.pk for run in compared}
    found = _rows(REGRESSED.format(items=items, runs=table), values)
    return {key: (confirmed, not_yet) for key, confirmed, not_yet in found if key in wanted}


def _items(run_ids: set[UUID]) -> tuple[str, Sequence[Any]]:
    """The statement that counts the attempts of each item by outcome, with its values."""
    rows: QuerySet[Attempt, Any] = (
        Attempt.objects.filter(run__in=run_ids)
        .order_by()
        .values("item_id", run_key=F("run_id"), case_key=F("item__case_id"), revision_key=F("item__revision_id"))
        .annotate(
            passed=Count("pk", filter=IS_FIRST & HAS_PASSED),
            failed=Count("pk", filter=IS_FIRST & HAS_FAILED),
            passed_again=Count("pk", filter=IS_CONFIRMING & HAS_PASSED),
            failed_again=Count("pk", filter=IS_CONFIRMING & HAS_FAILED),
            confirming=Count("pk", filter=IS_CONFIRMING),
            confirming_nothing_yet=Count("pk", filter=IS_CONFIRMING & CONFIRMS_NOTHING_YET),
            least_pin=Min("score__pin_hash", filter=IS_FIRST & (HAS_PASSED | HAS_FAILED)),
            most_pin=Max("score__pin_hash", filter=IS_FIRST & (HAS_PASSED | HAS_FAILED)),
        )
    )
    return rows.query.sql_with_params()


def _rows(statement: str, values: Sequence[Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return [(UUID(str(key)), *counts) for key, *counts in cursor.fetchall()]


def _seconds(run: EvalRun) -> float | None:
    if run.started_at is None or run.finished_at is None:
        return None
    return max(0.0, (run.finished_at - run.started_at).total_seconds())
