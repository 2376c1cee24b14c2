"""Whether the judge whose grades decide about a test run is calibrated (RV-D34)."""

from evals.logic.outlines import RunOutline
from evals.logic.run_results import RunResults
from evals.models import EvalRun
from scoring.places import Calibration, calibration_of

# Of answers that were brought along, several judges may have graded; so many of them are looked at.
MOST_JUDGES = 5


def calibration_of_run(run: EvalRun, results: RunResults | RunOutline) -> Calibration | None:
    """Of the judge that graded its answers; None where rules alone did. One statement for each judge.

    Where several judges graded, one that is not calibrated speaks for all.
    """
    found = [calibration_of(run.dataset_id, pin) for pin in results.sums.pins[:MOST_JUDGES]]
    known = [one for one in found if one is not None]
    return min(known, key=lambda one: one.is_calibrated, default=None)
