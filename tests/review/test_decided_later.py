"""The page of a test run says since when people's decisions make it differ from its completed state (EV-D34)."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from evals.models import EvalRun
from review.operations.deciding import decide
from scoring.models import Score
from tests.cast import Cast
from tests.datasets.pages import text
from tests.evals.runs import EvalScene

SignIn = Callable[[str], Client]
NOTICE = "Not as when the run was completed"


def shown(client: Client, run: EvalRun) -> str:
    return text(client.get(reverse("eval", args=[run.pk])))


@pytest.mark.spec("EV-D34", "RV-D33")
def test_a_decision_after_the_end_says_since_when_the_results_differ(cast: Cast, sign_in: SignIn) -> None:
    scene = EvalScene(cast)
    run = scene.run("fail", "pass", finished_at=timezone.now() - timedelta(hours=1))
    builder = sign_in("builder")
    assert NOTICE not in shown(builder, run)
    score = Score.objects.get(outcome="fail")
    decide(scene.actor(), dataset_id=scene.dataset.pk, score_id=score.pk, decision="pass", revision=0)
    page = shown(builder, run)
    assert NOTICE in page
    assert "1 answer was decided by a person since" in page


@pytest.mark.spec("EV-D34")
def test_a_decision_from_before_the_end_is_part_of_the_completed_state(cast: Cast, sign_in: SignIn) -> None:
    scene = EvalScene(cast)
    run = scene.run("fail")
    score = Score.objects.get()
    decide(scene.actor(), dataset_id=scene.dataset.pk, score_id=score.pk, decision="pass", revision=0)
    EvalRun.objects.filter(pk=run.pk).update(finished_at=timezone.now() + timedelta(seconds=5))
    assert NOTICE not in shown(sign_in("builder"), run)
