"""Starting a test run: what is laid down, once, and for whom (EV-7 to EV-33, EV-D1 to EV-D8)."""

import pytest

from evals.models import Attempt, EvalItem, EvalState
from tests.cast import Cast
from tests.evals.starts import StartScene


@pytest.fixture
def scene(cast: Cast) -> StartScene:
    return StartScene(cast)


@pytest.mark.spec("EV-7", "EV-10", "EV-33")
def test_a_start_lays_down_every_case_of_the_newest_version(scene: StartScene) -> None:
    run = scene.start(repeats=2, label="Nightly")
    assert (run.state, run.number, run.version, run.label) == (EvalState.QUEUED, 1, 2, "Nightly")
    items = list(EvalItem.objects.filter(run=run).order_by("position"))
    assert [item.revision_id for item in items] == [revision.pk for revision in scene.revisions]
    assert sorted(Attempt.objects.filter(run=run).values_list("item_id", "number", "state")) == sorted(
        (item.pk, number, "pending") for item in items for number in (1, 2)
    )

