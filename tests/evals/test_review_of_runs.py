"""Test runs in Review answers: link, filter, and Score again for all that is unscored (EV-46, EV-47)."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from core.limits import Limits
from evals.models import EvalRun
from scoring.logic.causes import Cause
from scoring.logic.findings import Evaluator, EvaluatorResult, Finding, Origin, State
from scoring.models import Score
from scoring.operations.settings import change_scoring, snapshot_of
from tests.api.clients import client_of
from tests.cast import Cast
from tests.datasets.pages import PART, text
from tests.evals.runs import EvalScene
from tests.scoring.judges import make_judge_model

SignIn = Callable[[str], Client]


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast, cases=4)


def table(client: Client, scene: EvalScene, **query: Any) -> str:
    return text(client.get(reverse("review_answers", args=[scene.dataset.pk]), query, headers=PART))


def rows(shown: str) -> int:
    return shown.count("<tr data-row ")


def unjudged(scene: EvalScene, run: EvalRun) -> None:
    """The unscored answers of the run lack their judge's verdict, which could be given now."""
    model = make_judge_model(scene.cast.owner, "http://127.0.0.1:9")
    judge = {"enabled": True, "criteria": [{"name": "Tone", "criterion": "Is it polite?"}], "model": str(model.pk)}
    change_scoring(scene.actor("owner"), dataset_id=scene.dataset.pk, changes={"judge": judge})
    cause = Cause.KEY_MISSING
    finding = Finding("c-1", Origin.CRITERION, cause.verdict, name="Tone", why=cause.reason, cause=cause)
    result = EvaluatorResult(Evaluator.JUDGE, True, State.NO_VERDICT, None, cause.reason, (finding,))
    found = Score.objects.filter(attempt__run=run, outcome="unscored")
    found.update(results=[result.as_json()], judge_trouble="skipped", snapshot=snapshot_of(scene.dataset))


@pytest.mark.spec("EV-47", "RV-7", "EV-16")
def test_a_row_links_to_its_test_run_for_who_may_open_it(scene: EvalScene, sign_in: SignIn) -> None:
    run = scene.run("pass", label="Nightly")
    scene.score(scene.revisions[1].case_id, "fail")
    shown = table(sign_in("builder"), scene)
    link = f'href="{reverse("eval", args=[run.pk])}"'
    assert shown.count(link) == 1
    assert "Test run 1 · Nightly" in shown
    viewed = table(sign_in("viewer"), scene)
    assert rows(viewed) == 2
    assert link not in viewed
    assert "Nightly" not in viewed
    panel = text(sign_in("builder").get(reverse("score", args=[scene.dataset.pk, run.attempts.get().score_id])))
    assert link in panel


@pytest.mark.spec("EV-46", "RV-D5", "RV-11")
def test_the_list_is_filtered_by_a_test_run(scene: EvalScene, sign_in: SignIn) -> None:
    first, second = scene.run("pass", "fail"), scene.run("pass")
    client = sign_in("builder")
    assert rows(table(client, scene)) == 3
    shown = table(client, scene, eval_run=first.pk)
    assert rows(shown) == 2
    assert f'name="eval_run" value="{first.pk}" checked' in shown
    assert '<span id="filter-eval_run-words" class="truncate filter-menu-on">Test run 1</span>' in shown
    choices = text(client.get(reverse("review_choices", args=[scene.dataset.pk]), {"eval_run": first.pk}, headers=PART))
    assert f'name="eval_run" value="{first.pk}" checked' in choices
    assert f'name="eval_run" value="{second.pk}">' in choices
    assert "just now" in choices, "runs of one label are told apart by their time"
    assert rows(table(client, scene, eval_run=[first.pk, second.pk])) == 3
    assert rows(table(client, scene, eval_run=uuid4())) == 0
    unknown = table(sign_in("viewer"), scene, eval_run=first.pk)
    assert rows(unknown) == 0, "who may not open the run does not learn what belongs to it"


@pytest.mark.spec("RV-D6", "EV-16")
def test_the_api_names_the_run_and_filters_by_it(cast: Cast, scene: EvalScene) -> None:
    run = scene.run("pass")
    scene.score(scene.revisions[1].case_id, "fail")
    api = client_of(cast.members["builder"])
    found = api.get(f"/datasets/{scene.dataset.pk}/scores?eval_run={run.pk}").json()["results"]
    assert [one["eval_run"] for one in found] == [str(run.pk)]
    everything = api.get(f"/datasets/{scene.dataset.pk}/scores").json()["results"]
    assert sorted(str(one["eval_run"]) for one in everything) == sorted([str(run.pk), "None"])
    seen = client_of(cast.members["viewer"]).get(f"/datasets/{scene.dataset.pk}/scores").json()["results"]
    assert {one["eval_run"] for one in seen} == {None}


@pytest.mark.spec("EV-46", "RV-11", "EV-36")
def test_all_unscored_answers_of_a_run_are_scored_again_at_once(scene: EvalScene, sign_in: SignIn) -> None:
    run, other = scene.run("unscored", "unscored", "pass"), scene.run("unscored")
    unjudged(scene, run)
    client = sign_in("builder")
    shown = table(client, scene, eval_run=run.pk)
    assert "2 answers of this test run are unscored." in shown
    assert "Score all again" in shown
    assert "unscored." not in table(client, scene)
    address = reverse("scores_again", args=[scene.dataset.pk]) + f"?eval_run={run.pk}"
    answer = client.post(address, {"of_run": "1"}, headers=PART)
    assert "2 answers are graded again." in answer.headers["HX-Trigger"]
    assert Score.objects.filter(attempt__run=run, state="waiting").count() == 2
    assert not Score.objects.filter(attempt__run=other, state="waiting").exists()


@pytest.mark.spec("RV-D8")
def test_of_more_than_the_limit_the_first_are_scored_again(
    scene: EvalScene, sign_in: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = scene.run("unscored", "unscored", "unscored")
    unjudged(scene, run)
    few = Limits(scores_again_at_once=2)
    monkeypatch.setattr("review.views.table_context.LIMITS", few)
    monkeypatch.setattr("review.views.again.LIMITS", few)
    client = sign_in("builder")
    shown = table(client, scene, eval_run=run.pk)
    assert "3 answers of this test run are unscored." in shown
    assert "Score the first 2 again" in shown
    client.post(reverse("scores_again", args=[scene.dataset.pk]) + f"?eval_run={run.pk}", {"of_run": "1"})
    assert Score.objects.filter(attempt__run=run, state="waiting").count() == 2
