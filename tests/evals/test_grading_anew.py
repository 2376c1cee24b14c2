"""Scoring the answers of an older test run anew with today's settings, as new scores (EV-D43)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import ApiKey, AuditEntry
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from evals.logic.results import Tally
from evals.models import Attempt, EvalRun
from evals.operations.grading_anew import grade_anew
from evals.queries.anew import anew_plan
from evals.queries.baselines import automatic_baseline
from evals.queries.comparison import compare
from evals.queries.eval_acts import acts_for
from evals.queries.results import results_of
from scoring.models import Score
from scoring.operations.settings import change_scoring
from tests.cast import Cast
from tests.datasets.pages import PART, text
from tests.evals.runs import EvalScene
from tests.evals.working import WorkScene, answering

SignIn = Callable[[str], Client]


@pytest.fixture(autouse=True)
def nobody_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs are laid down and left as they are."""
    monkeypatch.setattr("evals.operations.grading_anew.wake", lambda run: None)


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, cases=3)


def answered(scene: EvalScene, *answers: str) -> EvalRun:
    """A completed run whose answers were kept whole."""
    run = scene.run(*["fail"] * len(answers), version=newest(scene))
    for attempt, answer in zip(run.attempts.order_by("item__position"), answers, strict=True):
        Score.objects.filter(pk=attempt.score_id).update(answer=answer)
    return run


def newest(scene: EvalScene) -> int:
    scene.dataset.refresh_from_db()
    return scene.dataset.newest_version


def loosen(scene: EvalScene) -> None:
    """Change how the dataset is graded."""
    changes = {"checks": {"enabled": True, "must_pass": True, "defaults": [{"type": "contains", "value": "to"}]}}
    change_scoring(scene.actor(), dataset_id=scene.dataset.pk, changes=changes)


@pytest.mark.spec("EV-D43", "EV-34", "EV-16")
def test_the_answers_get_new_scores_in_a_run_of_their_own_and_the_old_result_stays(scene: EvalScene) -> None:
    old = answered(scene, "In 30 days", "Never")
    loosen(scene)
    before = results_of(old).tally
    made = grade_anew(scene.actor(), eval_id=old.pk)
    assert (made.number, made.version, made.agent_id, made.state) == (2, old.version, old.agent_id, "queued")
    assert made.snapshot_id != old.snapshot_id
    attempts = list(made.attempts.select_related("score").order_by("item__position"))
    assert [one.state for one in attempts] == ["answered", "answered"]
    scores = [one.score for one in attempts if one.score]
    assert [score.answer for score in scores] == ["In 30 days", "Never"]
    assert {score.snapshot_id for score in scores} == {made.snapshot_id}
    assert all(score.is_pinned and score.state == "waiting" for score in scores)
    assert results_of(old).tally == before == Tally(0, 2, 0)
    entry = AuditEntry.objects.get(action="eval.graded_anew")
    assert entry.details["answers_of"] == str(old.pk)


@pytest.mark.spec("EV-D43", "EV-D41")
def test_once_graded_it_compares_with_the_others_case_by_case(scene: EvalScene) -> None:
    old = answered(scene, "In 30 days", "Never")
    loosen(scene)
    made = grade_anew(scene.actor(), eval_id=old.pk)
    Score.objects.filter(attempt__run=made).update(state="done", outcome="pass")
    Attempt.objects.filter(run=made).update(state="done")
    counts = compare(made, old).counts
    assert (counts.improved, counts.not_comparable) == (2, 0)


def test_answers_that_did_not_come_and_those_that_are_gone_stay_without_a_verdict(scene: EvalScene) -> None:
    old = answered(scene, "In 30 days", "Never")
    scene.attempt(scene.item(old, scene.revisions[2]), state="error", error={"text": "No key", "values": {}})
    Score.objects.filter(answer="Never").update(answer_removed_at=timezone.now(), answer="")
    loosen(scene)
    plan = anew_plan(scene.actor(), old)
    assert (plan.answers, plan.gone) == (1, 1)
    made = grade_anew(scene.actor(), eval_id=old.pk)
    attempts = list(made.attempts.order_by("item__position"))
    assert [one.state for one in attempts] == ["answered", "error", "error"]
    assert attempts[1].error["text"] == "The answer is no longer there as it was given"
    assert attempts[2].error["text"] == "No key"


@pytest.mark.spec("EV-20", "EV-D6")
def test_anonymised_cases_are_left_out(scene: EvalScene) -> None:
    old = answered(scene, "In 30 days", "Never")
    revision = scene.revisions[0]
    revision.anonymised_at = timezone.now()
    revision.save()
    loosen(scene)
    made = grade_anew(scene.actor(), eval_id=old.pk)
    assert made.items.count() == 1
    assert made.left_out == [{"case": str(revision.case_id), "cause": "anonymised"}]


@pytest.mark.parametrize("state", ["queued", "running", "confirming"])
def test_a_run_at_work_is_refused(scene: EvalScene, state: str) -> None:
    old = answered(scene, "In 30 days")
    EvalRun.objects.filter(pk=old.pk).update(state=state)
    assert code(scene, old.pk) == "not_ended"


def test_today_s_settings_twice_are_refused_with_the_run_that_is_there(scene: EvalScene) -> None:
    old = answered(scene, "In 30 days")
    assert code(scene, old.pk) == "graded_alike"
    loosen(scene)
    made = grade_anew(scene.actor(), eval_id=old.pk)
    with pytest.raises(Conflict) as refused:
        grade_anew(scene.actor(), eval_id=old.pk)
    assert refused.value.data == {"eval": str(made.pk)}


def test_a_run_that_was_cut_off_can_be_made_once_more_and_is_not_resumed(scene: EvalScene) -> None:
    old = answered(scene, "In 30 days")
    loosen(scene)
    made = grade_anew(scene.actor(), eval_id=old.pk)
    EvalRun.objects.filter(pk=made.pk).update(state="cancelled")
    made.refresh_from_db()
    offered = acts_for(scene.actor(), made)
    assert (offered.resume.is_shown, offered.again.is_shown) == (False, False)
    assert grade_anew(scene.actor(), eval_id=old.pk).number == 3


@pytest.mark.spec("EV-D40")
def test_older_answers_that_were_graded_anew_are_no_later_baseline(scene: EvalScene) -> None:
    now = timezone.now()
    old, new = answered(scene, "In 30 days"), scene.run("pass")
    EvalRun.objects.filter(pk=old.pk).update(finished_at=now - timedelta(days=2))
    EvalRun.objects.filter(pk=new.pk).update(finished_at=now - timedelta(days=1))
    loosen(scene)
    made = grade_anew(scene.actor(), eval_id=old.pk)
    EvalRun.objects.filter(pk=made.pk).update(state="completed", finished_at=now)
    assert automatic_baseline(scene.dataset, scene.agent, "") == new
    EvalRun.objects.filter(pk=new.pk).update(archived_at=now)
    assert automatic_baseline(scene.dataset, scene.agent, "") == made


def test_settings_that_decide_nothing_and_a_judge_that_cannot_grade_are_refused(scene: EvalScene) -> None:
    old = answered(scene, "In 30 days")
    criteria = [{"name": "Tone", "criterion": "Is it polite?", "required": True}]
    judge = {"judge": {"enabled": True, "must_pass": True, "criteria": criteria}}
    change_scoring(scene.actor(), dataset_id=scene.dataset.pk, changes=judge)
    assert code(scene, old.pk) == "judge_model_missing"
    rest = {name: {"must_pass": False} for name in ("checks", "tool_calls", "judge", "reference_answer")}
    change_scoring(scene.actor(), dataset_id=scene.dataset.pk, changes=rest)
    assert code(scene, old.pk) == "nothing_decides"


def test_a_run_without_an_answer_is_refused(scene: EvalScene) -> None:
    old = scene.run(version=newest(scene))
    scene.attempt(scene.item(old, scene.revisions[0]), state="error", error={"text": "No key", "values": {}})
    loosen(scene)
    with pytest.raises(Invalid) as refused:
        grade_anew(scene.actor(), eval_id=old.pk)
    assert refused.value.problems[0].message == "No answer of this test run is left to be graded."


@pytest.mark.spec("EV-32", "EV-25")
def test_who_may_not_know_the_run_does_not_find_it(cast: Cast, scene: EvalScene) -> None:
    old = answered(scene, "In 30 days")
    for who in ("stranger", "member", "viewer"):
        with pytest.raises(NotFound):
            grade_anew(cast.actor(who), eval_id=old.pk)


def test_a_key_that_may_not_run_the_dataset_is_refused(cast: Cast, scene: EvalScene) -> None:
    old = answered(scene, "In 30 days")
    key = ApiKey(member=cast.members["builder"], permissions=["datasets:view", "runs:view"])
    with pytest.raises(NotAllowed):
        grade_anew(Actor.of_key(key), eval_id=old.pk)


@pytest.mark.spec("EV-D43", "EV-17")
def test_the_dialog_shows_the_estimate_first_and_then_leads_to_the_comparison(
    scene: EvalScene, sign_in: SignIn
) -> None:
    old, new = answered(scene, "In 30 days", "Never"), scene.run("pass", "pass")
    loosen(scene)
    client = sign_in("builder")
    there = reverse("eval-grade-anew", args=[old.pk])
    shown = text(client.get(there, {"with": str(new.pk)}, headers=PART))
    assert "2 answers" in shown
    assert "no cost" in shown
    assert f'<input type="hidden" name="with" value="{new.pk}">' in shown
    assert EvalRun.objects.count() == 2
    answer: Any = client.post(there, {"with": str(new.pk)}, headers=PART)
    made = EvalRun.objects.get(number=3)
    assert answer.headers["HX-Redirect"] == reverse("eval-compare", args=[new.pk]) + f"?with={made.pk}"
    again = client.post(there, {"with": str(new.pk)}, headers=PART)
    assert again.status_code == 409
    assert f"?with={made.pk}" in text(again)
    assert "<form" not in text(again)


def code(scene: EvalScene, eval_id: UUID) -> str:
    with pytest.raises(Conflict) as refused:
        grade_anew(scene.actor(), eval_id=eval_id)
    return refused.value.code


@pytest.mark.spec("EV-D43", "EV-38", "BC-19")
def test_a_worker_grades_them_without_asking_the_agent_again(cast: Cast, settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    with answering() as provider:
        work = WorkScene(cast, provider, cases=2)
        old = work.run()
        asked = len(provider.asked)
        work.set(checks={"enabled": True, "must_pass": True, "defaults": [{"type": "contains", "value": "weeks"}]})
        made = work.worked(grade_anew(work.actor("builder"), eval_id=old.pk))
        assert made.state == "completed"
        assert len(provider.asked) == asked
    assert work.outcomes(made) == ["fail", "fail"]
    assert work.outcomes(old) == ["pass", "pass"]
    counts = compare(made, old).counts
    assert (counts.regressed, counts.not_comparable) == (2, 0)
