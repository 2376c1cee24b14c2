"""The figures of one test run's page, computed from its scores as they are now (EV-D34)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Count, Min
from django.utils.translation import gettext as _

from evals.logic.classes import CaseChange, ChangeCounts
from evals.logic.evaluator_totals import CriterionTotals
from evals.logic.gate import GateFigures, GateLimits, GateVerdict, gate
from evals.logic.item_list import ListedItem, listed
from evals.logic.outlines import RunOutline
from evals.logic.statistics import FEW_CASES
from evals.logic.tags import TagRow
from evals.models import EvalRun, EvalState
from evals.places import DecidedLater, decided_later
from evals.queries.calibrations import calibration_of_run
from evals.queries.comparison import Comparison, compare
from evals.queries.outlines import outline_of
from evals.queries.totals import RunTotals, gate_figures, tags_of, totals_of
from scoring.logic.findings import Finding, Origin, Verdict
from scoring.models import Score
from scoring.places import Calibration
from scoring.queries.readable_scores import ReadableFinding


@dataclass(frozen=True)
class ScoredAgain:
    """How many answers of a run were graded again after it had ended, and since when (EV-D34)."""

    count: int
    since: datetime


@dataclass(frozen=True)
class RunFigures:
    """`comparison` is with the run's baseline; None without one."""

    run: EvalRun
    results: RunOutline
    comparison: Comparison | None = None

    @cached_property
    def totals(self) -> RunTotals:
        return totals_of(self.results)

    @property
    def changes(self) -> Mapping[UUID, CaseChange] | None:
        return self.comparison.changes if self.comparison else None

    @property
    def counts(self) -> ChangeCounts | None:
        return self.comparison.counts if self.comparison else None

    @property
    def verdict(self) -> str:
        """Whether the difference is real, in words (EV-D45)."""
        return _(self.comparison.verdict) if self.comparison else ""

    @cached_property
    def items(self) -> list[ListedItem]:
        return listed(self.results, self.changes)

    @cached_property
    def tags(self) -> list[TagRow]:
        return tags_of(self.results, self.changes)

    @cached_property
    def gate_figures(self) -> GateFigures:
        return gate_figures(self.run, self.results, self.changes)

    @cached_property
    def gate(self) -> GateVerdict:
        """With the limits that hold where nobody names others (EV-D61)."""
        return gate(self.gate_figures, GateLimits())

    @cached_property
    def calibration(self) -> Calibration | None:
        """Whether the judge that the gate believes is calibrated; None where rules alone graded (RV-D34)."""
        return calibration_of_run(self.run, self.results)

    @property
    def has_few_cases(self) -> bool:
        """Whether the page says that small differences mean little (EV-D36)."""
        return len(self.results.items) < FEW_CASES

    @cached_property
    def ended(self) -> int:
        """How many cases have an answer that was graded: the N of "Cancelled, N of M" (EV-D26)."""
        return self.results.answered

    @property
    def seconds(self) -> float | None:
        """From the start of the work to its end."""
        if self.run.started_at is None or self.run.finished_at is None:
            return None
        return max(0.0, (self.run.finished_at - self.run.started_at).total_seconds())


def figures_of(run: EvalRun) -> RunFigures:
    """Two statements for the run and two for its baseline, however large they are."""
    results = outline_of(run)
    return RunFigures(run, results, compare(run, run.baseline, results) if run.baseline else None)


def scored_again(run: EvalRun) -> ScoredAgain | None:
    """Whether answers were graded again since the run ended; None where none was."""
    if run.finished_at is None or run.state != EvalState.COMPLETED:
        return None
    later = Score.objects.filter(attempt__run=run, graded_at__gt=run.finished_at).order_by()
    found: Mapping[str, Any] = later.aggregate(count=Count("pk"), since=Min("graded_at"))
    return ScoredAgain(found["count"], found["since"]) if found["count"] else None


def decided_since(figures: RunFigures) -> DecidedLater | None:
    """Whether people decided answers since the run completed (EV-D34); nothing is asked where none is decided."""
    run = figures.run
    if run.finished_at is None or run.state != EvalState.COMPLETED or not figures.results.decided:
        return None
    return decided_later(run)


def as_finding(criterion: CriterionTotals) -> ReadableFinding:
    """What was counted, to be named on pages as the findings of a score are."""
    return ReadableFinding(Finding(criterion.id, Origin(criterion.origin), Verdict.PASS, name=criterion.name))
