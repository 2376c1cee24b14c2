"""The demonstration holds decisions, one of them against the grading (PL-50)."""

import json

import pytest

from datasets.operations.datasets import change_details
from review.models import Decision, Stay
from review.operations.demonstration import FILE, load_decisions
from tests.cast import Cast
from tests.evals.runs import EvalScene


@pytest.mark.spec("PL-50")
def test_answers_that_are_there_are_decided_once(cast: Cast) -> None:
    scene = EvalScene(cast, cases=0)
    change_details(scene.actor(), dataset_id=scene.dataset.pk, name="IT helper")
    wanted = [one for one in json.loads(FILE.read_text()) if one["dataset"] == "IT helper"]
    for one in wanted:
        scene.score(scene.add(one["question"]).case_id, one["found"])
    assert load_decisions(cast.actor("owner")) == len(wanted) > 1
    assert load_decisions(cast.actor("owner")) == 0
    assert Decision.objects.filter(ruling="pass", automatic="fail").exists()
    assert not Stay.objects.exists()


def test_where_no_such_answer_is_there_nothing_happens(cast: Cast) -> None:
    EvalScene(cast)
    assert load_decisions(cast.actor("owner")) == 0
