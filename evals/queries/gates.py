"""The gate of a test run with the figures that it was decided by (EV-D61)."""

from dataclasses import dataclass

from evals.logic.gate import GateFigures, GateLimits, GateVerdict, gate
from evals.models import EvalRun
from evals.queries.calibrations import calibration_of_run
from evals.queries.outlines import outline_of
from evals.queries.totals import changes_since_baseline, gate_figures
from scoring.places import Calibration


@dataclass(frozen=True)
class DecidedGate:
    """What the gate said, what it looked at, and whether the judge that it believes is calibrated, None without one."""

    figures: GateFigures
    verdict: GateVerdict
    calibration: Calibration | None


def decided_gate(run: EvalRun, limits: GateLimits) -> DecidedGate:
    """The gate of a run that was found for its reader; five statements, however large it is."""
    results = outline_of(run)
    figures = gate_figures(run, results, changes_since_baseline(run, results))
    return DecidedGate(figures, gate(figures, limits), calibration_of_run(run, results))
