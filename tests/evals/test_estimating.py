"""What an estimate rests on and says before anything is spent (EV-17 to EV-19, EV-D9, EV-D10)."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from django.test.utils import CaptureQueriesContext

from evals.logic.estimates import CostKind
from evals.models import Attempt, EvalRun
from evals.queries.asked_cases import cases_to_ask
from evals.queries.estimates import Estimate, estimate_eval, estimate_of
from scoring.logic.criteria import asked_criteria
from scoring.logic.outcome import has_something_to_check
from scoring.queries.settings import settings_of
from tests.activity.rows import make_run
from tests.cast import Cast
from tests.evals.starts import CHECKS, StartScene
from tests.scoring.judges import make_judge, make_judge_model

JUDGE_CHECK = {"type": "judge", "criterion": "Is it polite?"}
ADDRESS = "http://127.0.0.1:9"


@pytest.fixture
def scene(cast: Cast) -> StartScene:
    return StartScene(cast)


def estimate(scene: StartScene, **choices: Any) -> Estimate:
    return estimate_eval(scene.actor("builder"), dataset_id=scene.dataset.pk, choices=scene.choices(**choices))


@pytest.mark.spec("EV-17", "EV-D9", "EV-18")
def test_without_earlier_attempts_it_goes_by_characters(scene: StartScene) -> None:
    found = estimate(scene, repeats=2)
    told = len("Answer briefly.") + len("Question 0") + len("[]")
    each = (Decimal(-(-told // 4)) + 400 * 4) / 1_000_000
    assert (found.cases, found.attempts, found.measured, found.judge) == (2, 4, 0, None)
    assert found.cost.expected.total.amount == each * 4
    assert (found.cost.expected.calls, found.cost.expected.total.kind) == (4, CostKind.BELOW_A_CENT)
    assert not EvalRun.objects.exists()


@pytest.mark.spec("EV-D9")
def test_it_rests_on_the_last_attempts_of_the_agent_on_the_dataset(scene: StartScene) -> None:
    run = scene.ended("pass", "pass")
    for attempt, calls in zip(Attempt.objects.filter(run=run).order_by("pk"), (2, 4), strict=True):
        # Each further call of the model follows one of a tool.
        answered = make_run(scene.agent, step_count=2 * calls - 1, tool_call_count=calls - 1, cached_tokens=0)
        took = {"input_tokens": 1000 * calls, "output_tokens": 100 * calls, "seconds": float(calls)}
        Attempt.objects.filter(pk=attempt.pk).update(agent_run=answered, **took)
    found = estimate(scene, baseline=None)
    each = Decimal(1000 * 1 + 100 * 4) / 1_000_000
    assert (found.measured, found.cost.expected.agent.amount) == (2, each * 3 * 2)
    assert found.cost.expected.seconds == pytest.approx(3.0 * 2 / 4)


@pytest.mark.spec("EV-D9")
def test_attempts_whose_runs_are_gone_measure_no_call(scene: StartScene) -> None:
    run = scene.ended("pass")
    Attempt.objects.filter(run=run).update(input_tokens=9000, output_tokens=9000)
    assert estimate(scene).measured == 0


@pytest.mark.spec("EV-D10")
def test_the_judge_and_its_model_are_named_and_counted(scene: StartScene) -> None:
    scene.judge_by(make_judge_model(scene.cast.owner, ADDRESS))
    found = estimate(scene)
    assert found.judge is not None
    assert (found.judge.model, found.judge.is_built_in, found.judge.why_not) == ("Judging model", True, None)
    assert found.cost.expected.judge.amount > 2 * Decimal(2 * 150 * 8) / 1_000_000
    assert found.cost.expected.calls == 4


@pytest.mark.spec("EV-D10", "EV-D5")
def test_a_judge_that_cannot_grade_costs_nothing_and_says_why(scene: StartScene) -> None:
    scene.judge_by(None)
    found = estimate(scene, allow_unscored=True)
    assert found.judge is not None
    assert found.judge.why_not is not None
    assert found.cost.expected.judge.kind is CostKind.NO_COST


@pytest.mark.spec("EV-D10")
def test_a_missing_price_makes_it_unknown_with_the_models_name(scene: StartScene) -> None:
    scene.model.input_price = None
    scene.model.save()
    total = estimate(scene).cost.expected.total
    assert (total.kind, total.unpriced) == (CostKind.UNKNOWN, ("small-1",))


@pytest.mark.spec("EV-D9", "EV-D46")
def test_confirming_is_counted_only_against_a_baseline(scene: StartScene, settings: Any) -> None:
    settings.EVAL_CONFIRM_ATTEMPTS = 2
    assert estimate(scene).cost.highest.confirming.amount == 0
    baseline = scene.ended("pass", "pass")
    found = estimate(scene)
    assert found.baseline == baseline
    assert found.cost.highest.confirming.amount == 2 * found.cost.highest.agent.amount
    assert found.cost.expected.confirming.amount == found.cost.highest.confirming.amount / 10
    assert estimate(scene, confirm_changes=False).cost.highest.confirming.amount == 0


@pytest.mark.spec("EV-D9")
@pytest.mark.parametrize("reference", [True, False])
@pytest.mark.parametrize("judge", [True, False])
def test_criteria_and_what_can_be_checked_are_counted_as_grading_counts_them(
    scene: StartScene, judge: bool, reference: bool
) -> None:
    scene.judge_by(make_judge_model(scene.cast.owner, ADDRESS), enabled=judge)
    stored = settings_of(scene.dataset).stored | {"reference_answer": {"enabled": reference, "must_pass": True}}
    scene.set(**stored)
    quoted = {"type": "contains", "value": '{"type":"judge","criterion":"no'}
    scene.add("Two", checks=(JUDGE_CHECK, quoted, *CHECKS, {**JUDGE_CHECK, "criterion": "¿Es cortés? 🙂"}))
    scene.add("Reference", checks=(), reference_answer="Thirty days.")
    scene.add("Counter-example", checks=(), counter_example="No.", history=({"role": "user", "content": "Hello"},))
    scene.add("Call", checks=(), expected_tool_calls=({"tool": "refund", "args": {}},))
    settings = settings_of(scene.dataset).settings
    found = cases_to_ask(scene.dataset, scene.dataset_version, settings)
    assert len(found) == 6
    for case in found:
        content = scene.content(case.revision_id)
        assert case.size.criteria == len(asked_criteria(content, settings))
        assert case.has_something_to_check == has_something_to_check(settings, content)


@pytest.mark.spec("EV-D9")
def test_an_estimate_takes_few_statements_beside_its_plan(
    scene: StartScene, django_assert_num_queries: Callable[[int], CaptureQueriesContext]
) -> None:
    scene.judge_by(None, agent=str(make_judge(scene.cast.owner, scene.model).pk))
    scene.ended("pass", "fail")
    plan = scene.plan()
    with django_assert_num_queries(3):
        estimate_of(plan)


@pytest.mark.spec("EV-D40", "EV-D41")
def test_it_counts_the_cases_that_the_baseline_asked_with_the_same_content(scene: StartScene) -> None:
    assert estimate(scene, baseline=None).shared is None
    scene.ended("pass", "pass")
    scene.add("Asked for the first time")
    assert estimate(scene).shared == 2
    alone = scene.dataset.cases.order_by("-position").first()
    assert alone is not None
    assert estimate(scene, case_ids=(str(alone.pk),)).shared == 0


@pytest.mark.spec("EV-D27")
def test_a_cost_limit_below_what_is_expected_says_after_how_many_answers_it_stops(scene: StartScene) -> None:
    expected = estimate(scene, repeats=2).cost.expected.total.amount
    assert estimate(scene, repeats=2).stops_after is None
    assert estimate(scene, repeats=2, max_cost_usd=expected).stops_after is None
    assert estimate(scene, repeats=2, max_cost_usd=expected / 2).stops_after == 2
    assert estimate(scene, repeats=2, max_cost_usd=expected / 100).stops_after == 0
