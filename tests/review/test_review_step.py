"""The fourth step of a dataset says what waits for a person (DS-25)."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from datasets.queries.steps import Step, steps_of
from review.operations.sending import send_to_review
from scoring.models import Score
from tests.cast import Cast
from tests.datasets.pages import text
from tests.evals.runs import EvalScene

SignIn = Callable[[str], Client]


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


def step(scene: EvalScene) -> Step:
    return steps_of(scene.actor(), scene.dataset)[-1]


@pytest.mark.spec("DS-25")
def test_answers_that_wait_are_counted_and_the_step_leads_to_them(scene: EvalScene, sign_in: SignIn) -> None:
    assert (step(scene).state.words, step(scene).state.is_done) == ("Nothing to review", False)
    scores = [scene.score(revision.case_id, "fail") for revision in scene.revisions[:2]]
    send_to_review(scene.actor(), dataset_id=scene.dataset.pk, score_ids=[one.pk for one in scores])
    found = step(scene).state
    assert (found.words, found.is_done) == ("2 answers wait for review", False)
    shown = text(sign_in("builder").get(reverse("dataset", args=[scene.dataset.pk])))
    assert "2 answers wait for review" in shown
    assert text(sign_in("builder").get(found.href))


@pytest.mark.spec("DS-25")
def test_the_step_is_done_once_somebody_decided_and_nothing_waits(scene: EvalScene) -> None:
    score = scene.score(scene.revisions[0].case_id, "fail")
    Score.objects.filter(pk=score.pk).update(decided="pass")
    found = step(scene).state
    assert (found.words, found.is_done) == ("1 answer decided", True)
