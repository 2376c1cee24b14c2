"""When what a judge says counts as calibrated: enough decisions, and an agreement that is beyond chance for sure."""

from core.problems import gettext_noop
from review.logic.agreement import Agreement
from scoring.logic.findings import Reason

ENOUGH = 30  # decisions; with fewer the interval of kappa says next to nothing
# The least that the lower end of kappa's interval may be. Landis and Koch (1977), Biometrics 33, call agreement
# "moderate" above it: a judge whose kappa is 0.8 gets there with thirty to fifty decisions, one of 0.5 hardly ever.
KAPPA_AT_LEAST = 0.4

NONE = Reason(gettext_noop("No decision about an answer that it graded yet"))
TOO_FEW = gettext_noop("Decisions about answers that it graded: %(n)d of the %(enough)d that it takes")
ONE_SIDE = gettext_noop(
    "All of the %(n)d verdicts and decisions are the same, so nothing shows whether it tells good answers from bad ones"
)
TOO_LOW = gettext_noop(
    "%(agreeing)d of %(n)d decisions agree; Cohen's kappa %(kappa)s (%(low)s to %(high)s) may be below %(limit)s"
)
HOLDS = gettext_noop("%(agreeing)d of %(n)d decisions agree; Cohen's kappa %(kappa)s (%(low)s to %(high)s)")


def calibration(outcome: Agreement) -> tuple[bool, Reason]:
    """Whether these decisions bear the judge out, and what that rests on."""
    if not outcome.n:
        return False, NONE
    if outcome.n < ENOUGH:
        return False, Reason(TOO_FEW, {"n": outcome.n, "enough": ENOUGH})
    kappa, interval = outcome.kappa, outcome.kappa_interval
    if kappa is None or interval is None:
        return False, Reason(ONE_SIDE, {"n": outcome.n})
    figures = {"kappa": kappa, "low": interval[0], "high": interval[1], "limit": KAPPA_AT_LEAST}
    values = {name: f"{value:.2f}" for name, value in figures.items()}
    is_calibrated = interval[0] >= KAPPA_AT_LEAST
    return is_calibrated, Reason(
        HOLDS if is_calibrated else TOO_LOW, {"agreeing": outcome.agreeing, "n": outcome.n, **values}
    )
