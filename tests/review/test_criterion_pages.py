"""The dialog that makes a criterion of a note, its endpoint, and scoring the answer anew from there (RV-62, RV-D36)."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from datasets.operations.cases import delete_cases, edit_case
from review.models import MadeCriterion
from review.operations.deciding import decide
from scoring.models import Score
from scoring.operations.settings import change_scoring
from scoring.queries.settings import settings_of
from tests.api.clients import client_of
from tests.cast import Cast
from tests.evals.runs import EvalScene
from tests.scoring.judges import make_judge_model

SignIn = Callable[[str], Client]
PART = {"HX-Request": "true"}
NOTE = "The answer should name the deadline"
WORDS = "Does the answer name the deadline?"


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


@pytest.fixture
def score(scene: EvalScene) -> Score:
    one = scene.score(scene.revisions[0].case_id, "fail", graded_at=timezone.now(), answer="No.")
    decide(scene.actor(), dataset_id=scene.dataset.pk, score_id=one.pk, decision="fail", note=NOTE, revision=0)
    scene.dataset.refresh_from_db()
    return one


def there(score: Score) -> str:
    return f"/datasets/{score.dataset_id}/scores/{score.pk}/criterion/"


def shown(response: Any) -> str:
    return " ".join(unescape(response.content.decode()).split())


def value(page: str, name: str) -> str:
    return page.split(f'name="{name}" value="')[1].split('"')[0]


@pytest.mark.spec("RV-62", "RV-D36", "RV-D39", "SC-D11")
def test_the_card_leads_to_the_dialog_and_says_what_became_of_the_note(score: Score, sign_in: SignIn) -> None:
    browser = sign_in("builder")
    card = shown(browser.get(f"/datasets/{score.dataset_id}/scores/{score.pk}/"))
    assert f'hx-get="{there(score)}"' in card
    assert "Became a criterion" not in card
    dialog = shown(browser.get(there(score), headers=PART))
    assert f">{NOTE}</textarea>" in dialog.replace("> ", ">")
    assert WORDS in dialog
    assert "The judge is off" in dialog
    sent = {"criterion": WORDS, "scope": "case", **{name: value(dialog, name) for name in ("mark", "case_revision")}}
    made = shown(browser.post(there(score), sent, headers=PART))
    assert "Criterion added" in made
    assert "version 4" in made
    assert "reaches no verdict until it is on" in made
    assert f'id="criteria-{score.pk}" hx-swap-oob="true"' in made
    card = shown(browser.get(f"/datasets/{score.dataset_id}/scores/{score.pk}/"))
    assert f'href="/datasets/{score.dataset_id}/?version=4&case={score.case_id}">Became a criterion' in card


@pytest.mark.spec("RV-64", "RV-65", "RV-D36", "SC-D22")
def test_for_every_case_a_model_is_asked_for_where_none_is_chosen(
    scene: EvalScene, score: Score, sign_in: SignIn
) -> None:
    model = make_judge_model(scene.cast.owner, "http://127.0.0.1:9")
    browser = sign_in("builder")
    assert "Judging model" in shown(browser.get(there(score), headers=PART))
    made = shown(browser.post(there(score), {"criterion": WORDS, "scope": "rubric", "model": model.pk}, headers=PART))
    assert "A criterion for every case." in made
    assert "No model is chosen" not in made
    judge = settings_of(scene.dataset).stored["judge"]
    assert (judge["enabled"], judge["model"]) == (True, str(model.pk))
    assert "Model of the judge" not in shown(browser.get(there(score), headers=PART))
    again = shown(browser.post(there(score), {"criterion": WORDS.lower(), "scope": "rubric"}, headers=PART))
    assert "The criterion is there already" in again


@pytest.mark.spec("RV-D36")
def test_a_changed_case_is_told_and_sending_again_is_done_knowingly(
    scene: EvalScene, score: Score, sign_in: SignIn
) -> None:
    browser = sign_in("builder")
    dialog = shown(browser.get(there(score), headers=PART))
    sent = {"criterion": "My own words?", "scope": "case", "case_revision": value(dialog, "case_revision")}
    edit_case(scene.actor(), dataset_id=scene.dataset.pk, case_id=score.case_id, changes={"note": "Changed"})
    refused = browser.post(there(score), sent, headers=PART)
    assert refused.status_code == 409
    assert "Somebody else changed this case meanwhile." in shown(refused)
    assert "My own words?" in shown(refused)
    sent["case_revision"] = value(shown(refused), "case_revision")
    assert browser.post(there(score), sent, headers=PART).status_code == 200
    delete_cases(scene.actor(), dataset_id=scene.dataset.pk, case_ids=[score.case_id])
    sent["criterion"] = "Other words?"
    gone = browser.post(there(score), sent, headers=PART)
    assert gone.status_code == 422
    assert 'value="case"' not in shown(browser.get(there(score), headers=PART))


@pytest.mark.spec("RV-D37")
def test_what_is_wrong_stands_at_its_field(scene: EvalScene, score: Score, sign_in: SignIn) -> None:
    browser = sign_in("builder")
    refused = browser.post(there(score), {"criterion": " ", "scope": "case"}, headers=PART)
    assert refused.status_code == 422
    assert "Write what the judge is to look at." in shown(refused)
    criteria = [{"name": f"c{n}", "criterion": f"Is it {n}?"} for n in range(20)]
    change_scoring(scene.actor(), dataset_id=scene.dataset.pk, changes={"judge": {"criteria": criteria}})
    full = browser.post(there(score), {"criterion": WORDS, "scope": "rubric"}, headers=PART)
    assert full.status_code == 422
    assert "at most 20 criteria" in shown(full)


@pytest.mark.spec("RV-16", "RV-D15", "RV-77")
def test_a_changed_mask_closes_the_dialog_and_drops_what_was_written(score: Score, sign_in: SignIn) -> None:
    browser = sign_in("builder")
    sent = {"criterion": "Quotes the answer", "scope": "rubric", "mark": "another"}
    answer = browser.post(there(score), sent, headers=PART)
    assert (answer.status_code, answer.content, answer["HX-Reswap"]) == (409, b"", "none")
    assert "dialog-closed" in answer["HX-Trigger"]
    assert "mask-changed" in answer["HX-Trigger"]
    assert "Quotes the answer" not in shown(browser.post(there(score), sent))
    assert not MadeCriterion.objects.exists()


@pytest.mark.spec("RV-D43", "RV-75")
def test_who_may_not_edit_or_read_is_offered_nothing(score: Score, sign_in: SignIn) -> None:
    for who in ("operator", "viewer"):
        card = shown(sign_in(who).get(f"/datasets/{score.dataset_id}/scores/{score.pk}/"))
        assert there(score) not in card
        assert NOTE not in card or who == "operator"


@pytest.mark.spec("RV-D38")
def test_the_answer_is_scored_anew_and_opened(score: Score, sign_in: SignIn) -> None:
    address = there(score).replace("criterion", "anew")
    sent = sign_in("builder").post(address)
    new = Score.objects.exclude(pk=score.pk).get()
    assert sent["Location"] == f"/datasets/{score.dataset_id}/?tab=results&view=review&score={new.pk}"
    assert (new.state, new.case_id, new.decided) == ("waiting", score.case_id, "")


def test_the_dialog_takes_few_queries(score: Score, sign_in: SignIn) -> None:
    browser = sign_in("builder")
    with CaptureQueriesContext(connection) as captured:
        browser.get(there(score), headers=PART)
    assert len(captured) <= 20


@pytest.mark.spec("RV-D38", "RV-D37", "RV-63", "RV-64")
def test_the_endpoint_gives_the_version_or_the_settings(scene: EvalScene, score: Score) -> None:
    api, path = client_of(scene.cast.members["builder"]), f"/datasets/{score.dataset_id}/scores/{score.pk}/criterion"
    of_case = api.post(path, {"scope": "case", "criterion": WORDS})
    assert of_case.status_code == 201
    assert (of_case.json()["version"], of_case.json()["scoring"], of_case.json()["added"]) == (4, None, True)
    assert [one["code"] for one in of_case.json()["warnings"]] == ["judge_off"]
    of_all = api.post(path, {"scope": "rubric", "criterion": WORDS}, Idempotency_Key="1")
    assert of_all.status_code == 201
    assert of_all.json()["version"] is None
    assert of_all.json()["scoring"]["judge"]["criteria"][0]["criterion"] == WORDS
    assert [one["code"] for one in of_all.json()["warnings"]] == ["no_model"]
    assert api.post(path, {"scope": "rubric", "criterion": WORDS}, Idempotency_Key="1").json() == of_all.json()
    assert not api.post(path, {"scope": "rubric", "criterion": f" {WORDS} "}).json()["added"]
    stale = api.post(path, {"scope": "case", "criterion": "Else?", "case_revision": 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "case_changed")
    for body, field in (
        ({"criterion": WORDS}, "scope"),
        ({"scope": "all", "criterion": WORDS}, "scope"),
        ({"scope": "case"}, "criterion"),
        ({"scope": "case", "criterion": ""}, "criterion"),
        ({"scope": "case", "criterion": WORDS, "name": "x"}, "name"),
    ):
        refused = api.post(path, body)
        assert refused.status_code == 422, body
        assert [one["field"] for one in refused.json()["errors"]] == [field]
