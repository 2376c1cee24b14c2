"""The gate of a test run with the figures that it was decided by (EV-D61)."""

from dataclasses import dataclass

from evals.logic.gate import GateFigures, GateLimits, GateVerdict, gate
from evals.models import EvalRun
from evals.queries.results import results_of
from evals.queries.totals import baseline_changes, gate_figures


@dataclass(frozen=True)
class DecidedGate:
    """What the gate said, and what it looked at."""

    figures: GateFigures
    verdict: GateVerdict


def decided_gate(run: EvalRun, limits: GateLimits) -> DecidedGate:
    """The gate of a run that was found for its reader; four statements, however large it is."""
    results = results_of(run)
    figures = gate_figures(run, results, baseline_changes(run, results))
    return DecidedGate(figures, gate(figures, limits))
