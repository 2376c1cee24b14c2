"""Which score of a case goes to review when a test run completes (EV-41 to EV-44, EV-D48)."""

from collections.abc import Sequence

from evals.logic.classes import CaseChange, ChangeClass
from evals.logic.results import AttemptResult
from scoring.logic.findings import Outcome

JUDGE_ERROR = "error"


def attempt_for_review(attempts: Sequence[AttemptResult], change: CaseChange | None) -> AttemptResult | None:
    """The attempt whose score is sent: one for a case, or none. `change` is None without a baseline (EV-D40).

    Of a confirmed regression it is the latest failing attempt. Otherwise it is the latest one on which the judge failed
    with an error, unless another attempt of the case has a verdict. What the judge skipped is not sent (EV-43).
    """
    scored = sorted((one for one in attempts if one.state == "done" and one.has_score), key=lambda one: one.number)
    if change and change.change is ChangeClass.REGRESSED and change.is_confirmed:
        return next((one for one in reversed(scored) if one.final_outcome == Outcome.FAIL), None)
    if any(one.final_outcome in (Outcome.PASS, Outcome.FAIL) for one in scored):
        return None
    return next((one for one in reversed(scored) if one.judge_trouble == JUDGE_ERROR), None)
