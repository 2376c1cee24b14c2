"""Totals, tags and the gate of a test run."""

from decimal import Decimal

import pytest
from django.test.utils import CaptureQueriesContext

from evals.logic.gate import GateLimits
from evals.logic.results import Tally
from evals.logic.tags import TagRow
from evals.queries.results import results_of
from evals.queries.totals import baseline_changes, evaluators_of, gate_of, tags_of, totals_of
from scoring.logic.findings import Evaluator, EvaluatorResult, State
from tests.cast import Cast
from tests.evals.runs import EvalScene


@pytest.mark.spec("EV-D38", "EV-D52")
def test_totals_are_added_over_all_attempts(cast: Cast) -> None:
    scene = EvalScene(cast, cases=2)
    run = scene.run()
    first, second = (scene.item(run, revision) for revision in scene.revisions)
    scene.attempt(first, "pass", cost=Decimal("0.5"), seconds=1.0, input_tokens=10, output_tokens=2, model="a")
    scene.attempt(second, "fail", cost=Decimal("0.5"), seconds=3.0, input_tokens=30, output_tokens=4, model="b")
    totals = totals_of(results_of(run))
    assert (totals.cases, totals.automatic, totals.decided) == (Tally(1, 1), Tally(1, 1), 0)
    assert (totals.spending.total.amount, totals.tokens.input, totals.latency.median) == (1, 40, 2.0)
    assert totals.models == ("a", "b")


@pytest.mark.spec("EV-D38")
def test_evaluators_are_counted_over_first_attempts_alone(
    cast: Cast, django_assert_num_queries: type[CaptureQueriesContext]
) -> None:
    scene = EvalScene(cast, cases=1)
    run = scene.run()
    item = scene.item(run, scene.revisions[0])
    for state, kind in ((State.PASS, "first"), (State.FAIL, "confirm")):
        results = [EvaluatorResult(Evaluator.CHECKS, True, state, 1.0).as_json()]
        scene.attempt(item, "pass", kind=kind, score={"results": results})
    with django_assert_num_queries(2):
        [checks] = evaluators_of(run)
    assert (checks.name, checks.passed, checks.failed, checks.mean) == ("checks", 1, 0, 1.0)


@pytest.mark.spec("EV-D37")
def test_tags_know_what_regressed(cast: Cast) -> None:
    scene = EvalScene(cast, cases=2, tags=[("returns",)])
    run = scene.run("fail", "pass", baseline=scene.run("pass", "pass"))
    results = results_of(run)
    assert tags_of(results, baseline_changes(run, results)) == [
        TagRow("returns", Tally(0, 1), regressed=1),
        TagRow(None, Tally(1)),
    ]


@pytest.mark.spec("EV-D61", "EV-D50")
@pytest.mark.parametrize(("confirms", "confirmed", "code"), [(True, 0, 0), (True, 2, 1), (False, 0, 1)])
def test_gate_counts_confirmed_regressions_or_all_without_confirming(
    cast: Cast, confirms: bool, confirmed: int, code: int
) -> None:
    scene = EvalScene(cast, cases=2)
    run = scene.run("fail", "pass", baseline=scene.run("pass", "pass"), confirm_changes=confirms)
    for _turn in range(confirmed):
        scene.attempt(run.items.get(case_id=scene.revisions[0].case_id), "fail", kind="confirm")
    assert gate_of(run, GateLimits()).exit_code == code


@pytest.mark.spec("EV-D61", "EV-D62")
def test_gate_without_a_baseline_looks_at_rate_and_state(cast: Cast) -> None:
    scene = EvalScene(cast, cases=2)
    run, stopped = scene.run("fail", "pass"), scene.run("pass", "pass", state="stopped")
    assert gate_of(run, GateLimits(Decimal("0.5"))).passed
    assert gate_of(run, GateLimits(Decimal("0.51"))).exit_code == 1
    assert gate_of(stopped, GateLimits()).exit_code == 3
