"""Totals, tags and gate of a test run, computed from its scores as they are now (EV-D34, EV-D37, EV-D38, EV-D61)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from evals.logic.classes import CaseChange, count_changes
from evals.logic.evaluator_totals import EvaluatorTotals, evaluator_totals
from evals.logic.gate import GateFigures, GateLimits, GateVerdict, gate
from evals.logic.outlines import RunOutline, changes_of_outlines
from evals.logic.results import Latency, Spending, Tally, Tokens
from evals.logic.run_results import RunResults, changes_between
from evals.logic.tags import TaggedCase, TagRow, tag_rows
from evals.models import AttemptKind, EvalRun
from evals.queries.outlines import kept_of, mark_of, outline_of
from evals.queries.results import results_of
from scoring.models import Score


@dataclass(frozen=True)
class RunTotals:
    """`cases` counts final outcomes and `automatic` those of grading alone; `decided` are cases that a person ruled on.

    `models` are the names that the provider gave; more than one gets a notice (EV-D52).
    """

    cases: Tally
    automatic: Tally
    decided: int
    spending: Spending
    tokens: Tokens
    latency: Latency
    models: tuple[str, ...]


def totals_of(results: RunResults | RunOutline) -> RunTotals:
    """Added up over what was read of the run; asks the database nothing."""
    sums = results.sums
    return RunTotals(
        results.tally,
        results.automatic_tally,
        results.decided,
        sums.spending,
        sums.tokens,
        sums.latency,
        sums.models,
    )


def evaluators_of(run: EvalRun) -> list[EvaluatorTotals]:
    """What each evaluator and criterion made of the first attempts; one statement for what was added up before."""
    mark = mark_of(run)
    if mark is None:
        return _evaluators_of(run)
    kept = kept_of(run, "evaluators", mark.digest, lambda: [one.as_json() for one in _evaluators_of(run)])
    return [EvaluatorTotals.of_json(one) for one in kept]


def _evaluators_of(run: EvalRun) -> list[EvaluatorTotals]:
    scores = Score.objects.filter(attempt__run=run, attempt__kind=AttemptKind.FIRST).order_by("attempt__id")
    stored: Iterator[Any] = scores.values_list("results", flat=True).iterator(chunk_size=500)
    return evaluator_totals(stored)


def tags_of(results: RunResults | RunOutline, changes: Mapping[UUID, CaseChange] | None = None) -> list[TagRow]:
    """The table of tags; `changes` are those against the baseline, None without one."""
    known = changes or {}
    return tag_rows(
        TaggedCase(item.tags, item.result, known[item.case_id].change if item.case_id in known else None)
        for item in results.items
    )


def baseline_changes(run: EvalRun, results: RunResults) -> dict[UUID, CaseChange] | None:
    """What became of each case since the run's baseline; None without one."""
    return changes_between(results_of(run.baseline), results) if run.baseline else None


def changes_since_baseline(run: EvalRun, outline: RunOutline) -> dict[UUID, CaseChange] | None:
    """The same of a run's outline, quicker for large ones that have ended."""
    return changes_of_outlines(outline_of(run.baseline), outline) if run.baseline else None


def gate_of(run: EvalRun, limits: GateLimits) -> GateVerdict:
    """Whether the run passes, as the page and the pipeline are told (EV-D61)."""
    outline = outline_of(run)
    return gate(gate_figures(run, outline, changes_since_baseline(run, outline)), limits)


def gate_figures(
    run: EvalRun, results: RunResults | RunOutline, changes: Mapping[UUID, CaseChange] | None
) -> GateFigures:
    """What the gate looks at, from what was read already."""
    counts = count_changes((changes or {}).values())
    return GateFigures(
        state=run.state,
        cases=results.tally,
        has_baseline=changes is not None,
        confirms=run.confirm_changes,
        regressed_confirmed=counts.regressed_confirmed,
        regressed_unconfirmed=counts.regressed_unconfirmed,
        compared=counts.compared,
    )
