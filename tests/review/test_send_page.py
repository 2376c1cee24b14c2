"""Sending chosen answers from the page of a test run (EV-45, RV-33)."""

from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.test import Client

from evals.models import EvalRun
from review.models import Stay
from scoring.models import Score
from tests.cast import Cast
from tests.evals.runs import EvalScene

PART = {"HX-Request": "true"}
SignIn = Callable[[str], Client]


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


@pytest.fixture
def run(scene: EvalScene) -> EvalRun:
    return scene.run("fail", "pass", "fail")


def address(scene: EvalScene) -> str:
    return f"/datasets/{scene.dataset.pk}/review/send/"


def scores(run: EvalRun) -> list[str]:
    return [
        str(key)
        for key in Score.objects.filter(attempt__run=run)
        .order_by("attempt__item__position")
        .values_list("pk", flat=True)
    ]


def shown(response: Any) -> str:
    return unescape(response.content.decode())


@pytest.mark.spec("EV-45", "RV-33")
def test_answers_of_a_run_are_chosen_and_sent(scene: EvalScene, run: EvalRun, sign_in: SignIn) -> None:
    browser = sign_in("builder")
    page = shown(browser.get(f"/evals/{run.pk}/?show=all"))
    assert f'action="{address(scene)}"' in page
    assert all(f'name="chosen" form="selection" value="{key}"' in page for key in scores(run))
    answered = browser.post(address(scene), {"chosen": scores(run)[:2], "run": str(run.pk)}, headers=PART)
    assert answered.status_code == 204
    assert "2 answers wait for review now." in answered["HX-Trigger"]
    assert Stay.objects.filter(left_at=None).count() == 2


@pytest.mark.spec("EV-45")
def test_without_scripts_the_page_of_the_run_says_what_became_of_them(
    scene: EvalScene, run: EvalRun, sign_in: SignIn
) -> None:
    browser = sign_in("builder")
    sent = {"chosen": scores(run)[:1], "run": str(run.pk)}
    browser.post(address(scene), sent)
    Score.objects.filter(pk=scores(run)[1]).update(decided="pass")
    answered = browser.post(address(scene), {"chosen": scores(run)[:2], "run": str(run.pk)}, follow=True)
    assert answered.redirect_chain == [(f"/evals/{run.pk}/", 302)]
    assert "1 waited already. 1 is decided already." in shown(answered)


@pytest.mark.spec("RV-36")
@pytest.mark.parametrize(
    ("chosen", "words"), [([], "Name at least one score."), (["nonsense"], "This dataset has no such score.")]
)
def test_what_cannot_be_sent_is_told_and_nothing_is_sent(
    scene: EvalScene, run: EvalRun, sign_in: SignIn, chosen: list[str], words: str
) -> None:
    sent = {"chosen": [*(scores(run)[:1] if chosen else []), *chosen]}
    answered = sign_in("builder").post(address(scene), sent, headers=PART)
    assert words in answered["HX-Trigger"]
    assert not Stay.objects.exists()


@pytest.mark.spec("RV-72", "RV-73")
@pytest.mark.parametrize(("who", "status"), [("operator", 403), ("viewer", 403), ("stranger", 404)])
def test_who_may_not_edit_is_refused_and_offered_nothing(
    scene: EvalScene, run: EvalRun, sign_in: SignIn, who: str, status: int
) -> None:
    client = sign_in(who)
    assert client.post(address(scene), {"chosen": scores(run)}).status_code == status
    assert "data-selection-one" not in shown(client.get(f"/evals/{run.pk}/?show=all"))
    assert not Stay.objects.exists()
