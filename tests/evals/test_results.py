"""The results of a test run as they are now, and its comparison with another."""

from decimal import Decimal

import pytest
from django.test.utils import CaptureQueriesContext

from datasets.models import RevisionUsage
from datasets.operations.datasets import delete_dataset
from evals.logic.classes import ChangeClass, Incomparable
from evals.logic.results import NOT_ANSWERED, Sum, Tally, latency, spending
from evals.models import Attempt, EvalRun
from evals.queries.comparison import compare
from evals.queries.results import results_of
from scoring.logic.findings import Reason
from scoring.models import Score
from tests.cast import Cast
from tests.evals.runs import EvalScene


@pytest.mark.spec("EV-D33", "EV-D19", "EV-D38")
def test_results_hold_every_case_with_its_attempts(cast: Cast) -> None:
    scene = EvalScene(cast, cases=3, tags=[("returns",)])
    run = scene.run()
    refused = Reason("The provider refused: %(status)d", {"status": 401})
    first, second, third = (scene.item(run, revision) for revision in scene.revisions)
    scene.attempt(first, "fail", cost=Decimal("0.5"), seconds=2.0, model="answers-1", input_tokens=9, output_tokens=3)
    scene.attempt(
        first, "pass", kind="confirm", cost=Decimal("0.25"), seconds=50.0, score={"judge_cost": Decimal("0.1")}
    )
    scene.attempt(second, state="error", error=refused.as_json(), answered_at=None)
    scene.attempt(
        third, "unscored", score={"why": Reason("No verdict was reached").as_json(), "judge_trouble": "error"}
    )
    found = results_of(run)

    assert [(item.case_id, item.result) for item in found.items] == [
        (first.case_id, "fail"), (second.case_id, "unscored"), (third.case_id, "unscored"),
    ]  # fmt: skip
    assert found.items[0].tags == ("returns",)
    assert [one.number for one in found.items[0].attempts] == [1, 2]
    assert found.tally == Tally(0, 1, 2)
    unanswered, ungraded = found.items[1].first[0], found.items[2].first[0]
    assert (unanswered.unscored_because, unanswered.why) == (NOT_ANSWERED, refused)
    assert ungraded.unscored_because == Reason("No verdict was reached")
    spent = spending(found.attempts)
    assert (spent.agent, spent.confirming) == (Sum(Decimal("0.5"), True), Sum(Decimal("0.35")))
    assert latency(found.attempts).maximum == 2


@pytest.mark.spec("EV-D34", "RV-54", "RV-D33")
def test_a_decision_changes_the_result_and_the_automatic_one_stays(cast: Cast) -> None:
    scene = EvalScene(cast, cases=2)
    run = scene.run("fail", "pass")
    Score.objects.filter(outcome="fail").update(decided="pass")
    found = results_of(run)
    assert (found.tally, found.automatic_tally, found.decided) == (Tally(2), Tally(1, 1), 1)


def test_a_deleted_score_leaves_its_case_unscored(cast: Cast) -> None:
    scene = EvalScene(cast, cases=1)
    run = scene.run("pass")
    Score.objects.all().delete()
    assert results_of(run).tally == Tally(0, 0, 1)


def test_results_of_a_large_run_take_two_statements(
    cast: Cast, django_assert_num_queries: type[CaptureQueriesContext]
) -> None:
    scene = EvalScene(cast, cases=6)
    run = scene.run(*["pass"] * 6)
    with django_assert_num_queries(2):
        found = results_of(run)
    assert found.tally == Tally(6)


@pytest.mark.spec("EV-D41", "EV-D42", "EV-D45", "EV-D46")
def test_two_runs_are_compared_case_by_case(cast: Cast) -> None:
    scene = EvalScene(cast, cases=5)
    before = scene.run("pass", "fail", "pass", "unscored")
    after = scene.run("fail", "pass", "pass", "pass", "fail", baseline=before)
    regressed = after.items.get(case_id=scene.revisions[0].case_id)
    for _turn in range(2):
        scene.attempt(regressed, "fail", kind="confirm")
    improved = after.items.get(case_id=scene.revisions[1].case_id)
    for _turn in range(2):
        scene.attempt(improved, "fail", kind="confirm")
    found = compare(after, before)
    assert [(one.change, one.is_confirmed, one.because) for one in found.changes.values()] == [
        (ChangeClass.REGRESSED, True, None),
        (ChangeClass.FLAKY, False, None),
        (ChangeClass.UNCHANGED, False, None),
        (ChangeClass.NOT_COMPARABLE, False, Incomparable.UNSCORED),
        (ChangeClass.NOT_COMPARABLE, False, Incomparable.NEW),
    ]
    assert (found.counts.b, found.counts.c, found.p) == (1, 1, 1)
    assert found.differences == ()
    back = compare(before, after)
    assert back.changes[scene.revisions[4].case_id].because is Incomparable.REMOVED


@pytest.mark.spec("EV-D26", "EV-D47")
def test_cancelled_confirming_leaves_a_change_unconfirmed(cast: Cast) -> None:
    scene = EvalScene(cast, cases=1)
    before, after = scene.run("pass"), scene.run("fail")
    item = after.items.get()
    scene.attempt(item, "fail", kind="confirm")
    scene.attempt(item, kind="confirm", state="cancelled")
    [change] = compare(after, before).changes.values()
    assert (change.change, change.is_unconfirmed) == (ChangeClass.REGRESSED, True)


@pytest.mark.spec("EV-D43")
def test_another_judge_makes_a_change_unconfirmed_and_only_where_it_took_part(cast: Cast) -> None:
    scene = EvalScene(cast, cases=2)
    before, after = scene.run("pass", "pass"), scene.run("fail", "fail")
    case = scene.revisions[0].case_id
    for run, pin_hash in ((before, "a" * 64), (after, "b" * 64)):
        scores = Attempt.objects.filter(run=run, item__case_id=case).values("score_id")
        Score.objects.filter(pk__in=scores).update(pin_hash=pin_hash)
    for item in after.items.all():
        for _turn in range(2):
            scene.attempt(item, "fail", kind="confirm")
    judged, by_rules = compare(after, before).changes.values()
    assert (judged.is_confirmed, judged.is_graded_differently) == (False, True)
    assert (by_rules.is_confirmed, by_rules.is_graded_differently) == (True, False)


@pytest.mark.spec("EV-D55", "DS-74")
def test_deleting_a_dataset_deletes_its_runs_and_frees_its_revisions_alone(cast: Cast) -> None:
    scene = EvalScene(cast, cases=2)
    scene.run("pass", "fail")
    kept = EvalScene(cast, cases=3).run("pass")
    delete_dataset(cast.actor("builder"), dataset_id=scene.dataset.pk)
    assert list(EvalRun.objects.all()) == [kept]
    assert RevisionUsage.objects.get(organisation=cast.kettle).revisions == 3
