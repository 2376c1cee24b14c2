"""What is kept of a large run between two requests holds as long as nothing of it changes, and no longer (EV-D34)."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from datasets.operations.removals import remove_text_of_cases
from evals.logic.outlines import outline_of_results
from evals.models import Attempt, EvalItem, EvalRun
from evals.queries.outlines import mark_of, outline_of
from evals.queries.results import results_of
from evals.queries.totals import evaluators_of
from scoring.logic.findings import Evaluator, EvaluatorResult, State
from scoring.models import Score
from tests.cast import Cast
from tests.evals.runs import EvalScene

Change = Callable[[EvalRun], object]


@pytest.fixture(autouse=True)
def keep_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evals.queries.outlines.KEPT_FROM", 1)


@pytest.fixture
def run(cast: Cast) -> EvalRun:
    scene = EvalScene(cast, cases=4, tags=[("returns",), ("returns", "slow")])
    made = scene.run("pass", "fail", "unscored", "pass")
    results = [EvaluatorResult(Evaluator.CHECKS, True, State.PASS, 1.0).as_json()]
    Score.objects.update(graded_at=timezone.now(), results=results)
    return made


def decide(run: EvalRun) -> None:
    Score.objects.filter(attempt__run=run, outcome="fail").update(decided="pass")


def swap(run: EvalRun) -> None:
    """Two decisions that leave every count as it was."""
    Score.objects.filter(attempt__run=run, outcome="fail").update(decided="pass")
    first = Score.objects.filter(attempt__run=run, outcome="pass").first()
    Score.objects.filter(pk=first.pk if first else None).update(decided="fail")


def grade_again(run: EvalRun) -> None:
    Score.objects.filter(attempt__run=run, outcome="unscored").update(outcome="fail", graded_at=timezone.now())


def lay_down_again(run: EvalRun) -> None:
    Score.objects.filter(attempt__run=run, outcome="pass").update(state="waiting", outcome="", graded_at=None)


def delete_a_score(run: EvalRun) -> None:
    Score.objects.filter(attempt__run=run, outcome="fail").delete()


def take_out_a_case(run: EvalRun) -> None:
    EvalItem.objects.filter(run=run, position=3).delete()


def spend(run: EvalRun) -> None:
    Attempt.objects.filter(run=run, number=1).update(cost="0.5", seconds=2.0)


@pytest.mark.spec("EV-D34")
@pytest.mark.parametrize("change", [decide, swap, grade_again, lay_down_again, delete_a_score, take_out_a_case, spend])
def test_whatever_changes_a_score_or_an_attempt_changes_the_outline(run: EvalRun, change: Change) -> None:
    before = outline_of(run)
    assert before == outline_of_results(results_of(run)) == outline_of(run)
    change(run)
    after = outline_of(run)
    assert after == outline_of_results(results_of(run))
    assert after != before


def test_what_is_kept_is_not_computed_again(run: EvalRun) -> None:
    outline_of(run)
    with CaptureQueriesContext(connection) as counted:
        outline_of(run)
    attempts = [one["sql"] for one in counted if "evals_attempt" in one["sql"]]
    assert len(attempts) == 1
    assert "COUNT(*)" in attempts[0]


def test_no_word_of_a_case_is_kept(run: EvalRun) -> None:
    outline_of(run)
    run.items.filter(position=0).update(tags=["renamed"])
    assert outline_of(run).items[0].tags == ("renamed",)


def test_evaluators_are_counted_again_after_a_grading_and_after_an_erasure(run: EvalRun) -> None:
    assert [one.passed for one in evaluators_of(run)] == [4] == [one.passed for one in evaluators_of(run)]
    failed = [EvaluatorResult(Evaluator.CHECKS, True, State.FAIL, 0.0).as_json()]
    score = Score.objects.filter(attempt__run=run, outcome="pass").first()
    assert score
    Score.objects.filter(pk=score.pk).update(results=failed, graded_at=timezone.now())
    assert [(one.passed, one.failed) for one in evaluators_of(run)] == [(3, 1)]
    before = mark_of(run)
    remove_text_of_cases(run.dataset, [score.case_id], at=timezone.now())
    assert mark_of(run) != before


def test_of_a_run_at_work_nothing_is_kept(run: EvalRun) -> None:
    EvalRun.objects.filter(pk=run.pk).update(state="running")
    run.refresh_from_db()
    assert mark_of(run) is None
