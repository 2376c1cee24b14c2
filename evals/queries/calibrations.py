"""Whether the judge whose grades decide about a test run is calibrated (RV-D34)."""

from evals.logic.run_results import RunResults
from evals.models import EvalRun
from scoring.places import Calibration, calibration_of

# Of answers that were brought along, several judges may have graded; so many of them are looked at.
MOST_JUDGES = 5


def calibration_of_run(run: EvalRun, results: RunResults) -> Calibration | None:
    """Of the judge that graded its answers; None where rules alone did. One statement for each judge.

    Where several judges graded, one that is not calibrated speaks for all.
    """
    pins = sorted({one.pin_hash for item in results.items for one in item.first if one.pin_hash})
    found = [calibration_of(run.dataset_id, pin) for pin in pins[:MOST_JUDGES]]
    known = [one for one in found if one is not None]
    return min(known, key=lambda one: one.is_calibrated, default=None)
