"""What decisions make of a test run: its totals, its list, its gate and its comparison (RV-D33, EV-D61)."""

from decimal import Decimal

import pytest

from evals.logic.gate import GateLimits
from evals.models import Attempt, EvalRun
from evals.queries.comparison import compare
from evals.queries.gates import decided_gate
from evals.queries.listed_runs import listed_runs
from evals.queries.results import results_of
from evals.queries.totals import totals_of
from review.operations.deciding import decide, withdraw_decision
from tests.cast import Cast
from tests.evals.runs import EvalScene

LIMITS = GateLimits(min_pass_rate=Decimal("0.75"), max_regressions=9)


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, cases=4)


def state_of(run: EvalRun) -> tuple[int, int, int, bool, int]:
    """Passed by what counts, passed by grading alone, decided, whether the gate passes, regressed."""
    totals, compared = totals_of(results_of(run)), compare(run, run.baseline)  # type: ignore[arg-type]
    [listed] = listed_runs([run])
    assert listed.cases == totals.cases
    gate = decided_gate(run, LIMITS)
    regressed = compared.counts.regressed
    return totals.cases.passed, totals.automatic.passed, totals.decided, gate.verdict.passed, regressed


@pytest.mark.spec("RV-D33", "RV-54", "RV-55", "EV-D61")
def test_a_test_run_counts_what_people_decided_and_knows_what_grading_found(scene: EvalScene) -> None:
    before = scene.run("pass", "pass", "pass", "pass")
    run = scene.run("pass", "pass", "fail", "fail", baseline=before)
    assert state_of(run) == (2, 2, 0, False, 2)
    failed = Attempt.objects.filter(run=run, score__outcome="fail").order_by("item__position")[0].score
    assert failed is not None
    given = {"dataset_id": scene.dataset.pk, "score_id": failed.pk}
    decide(scene.actor(), **given, decision="pass", revision=0)
    assert state_of(run) == (3, 2, 1, True, 1)
    withdraw_decision(scene.actor(), **given, revision=1)
    assert state_of(run) == (2, 2, 0, False, 2)
