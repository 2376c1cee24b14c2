"""Deleting a dataset takes its test runs with it, unless one of them is at work."""

from collections.abc import Callable

import pytest
from django.test import Client
from django.utils import timezone

from core.errors import Conflict
from datasets.models import Dataset
from datasets.operations.datasets import delete_dataset
from evals.models import Attempt, EvalRun, EvalState
from tests.cast import Cast
from tests.datasets.pages import PART, text
from tests.evals.runs import EvalScene


@pytest.mark.spec("DS-D17", "EV-D55")
def test_its_runs_go_with_a_dataset_and_are_counted_before(cast: Cast, sign_in: Callable[[str], Client]) -> None:
    scene = EvalScene(cast)
    kept = EvalScene(cast).run("pass")
    first = scene.run("pass", "fail", state=EvalState.FAILED)
    scene.run("pass", baseline=first, archived_at=timezone.now())
    asked = text(sign_in("builder").get(f"/datasets/{scene.dataset.pk}/delete/", headers=PART))
    assert '<dt>Test runs</dt><dd class="number">2</dd>' in asked
    delete_dataset(scene.actor(), dataset_id=scene.dataset.pk)
    assert list(EvalRun.objects.all()) == [kept]
    assert Attempt.objects.count() == 1


@pytest.mark.spec("DS-D17")
@pytest.mark.parametrize("state", [EvalState.QUEUED, EvalState.RUNNING, EvalState.CONFIRMING, EvalState.CANCELLING])
def test_a_dataset_with_a_run_at_work_is_not_deleted(cast: Cast, state: EvalState) -> None:
    scene = EvalScene(cast)
    scene.run("pass", state=state)
    with pytest.raises(Conflict) as refused:
        delete_dataset(scene.actor(), dataset_id=scene.dataset.pk)
    assert refused.value.code == "eval_running"
    assert Dataset.objects.filter(pk=scene.dataset.pk).exists()
    assert EvalRun.objects.count() == 1
