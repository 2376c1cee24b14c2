"""The baseline of a dataset and an agent, and runs that are put away (EV-D40, EV-D54 to EV-D56)."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.models import AuditEntry
from core.errors import Conflict, NotAllowed, NotFound
from evals.models import EvalRun
from evals.operations.archiving import archive_eval, bring_back_eval
from evals.operations.baselines import end_baseline, make_baseline
from tests.cast import Cast
from tests.evals.runs import EvalScene

Act = Callable[..., EvalRun]
ACTS: list[Act] = [make_baseline, end_baseline, archive_eval, bring_back_eval]


@pytest.fixture
def scene(cast: Cast) -> EvalScene:
    return EvalScene(cast)


def actions() -> list[str]:
    return list(AuditEntry.objects.filter(action__startswith="eval.").order_by("pk").values_list("action", flat=True))


@pytest.mark.spec("EV-D40", "EV-D56")
def test_there_is_one_baseline_for_a_dataset_and_an_agent(scene: EvalScene) -> None:
    first, second = scene.run("pass"), scene.run("fail")
    make_baseline(scene.actor(), eval_id=first.pk)
    assert make_baseline(scene.actor(), eval_id=second.pk).is_baseline
    assert list(EvalRun.objects.filter(is_baseline=True)) == [second]
    make_baseline(scene.actor(), eval_id=second.pk)
    assert actions() == ["eval.made_baseline", "eval.made_baseline"]


@pytest.mark.spec("EV-D40")
def test_a_baseline_can_be_ended(scene: EvalScene) -> None:
    run = scene.run("pass", is_baseline=True)
    for _turn in range(2):
        assert not end_baseline(scene.actor(), eval_id=run.pk).is_baseline
    run.refresh_from_db()
    assert not run.is_baseline
    assert actions() == ["eval.ended_baseline"]


@pytest.mark.parametrize("state", ["queued", "running", "cancelled", "stopped", "failed"])
def test_only_a_completed_run_is_a_baseline(scene: EvalScene, state: str) -> None:
    with pytest.raises(Conflict) as refused:
        make_baseline(scene.actor(), eval_id=scene.run("pass", state=state).pk)
    assert refused.value.code == "eval_not_completed"


def test_an_archived_run_or_one_whose_agent_is_gone_is_no_baseline(scene: EvalScene) -> None:
    archived, orphan = scene.run("pass", archived_at=timezone.now()), scene.run("pass")
    EvalRun.objects.filter(pk=orphan.pk).update(agent=None)
    for run, code in ((archived, "eval_archived"), (orphan, "agent_gone")):
        with pytest.raises(Conflict) as refused:
            make_baseline(scene.actor(), eval_id=run.pk)
        assert refused.value.code == code


@pytest.mark.spec("EV-D55", "EV-D56")
def test_an_archived_run_is_no_baseline_any_more_and_comes_back_without_that(scene: EvalScene) -> None:
    run = scene.run("pass", is_baseline=True)
    for _turn in range(2):
        archive_eval(scene.actor(), eval_id=run.pk)
    run.refresh_from_db()
    assert (run.archived_at is not None, run.is_baseline) == (True, False)
    for _turn in range(2):
        bring_back_eval(scene.actor(), eval_id=run.pk)
    run.refresh_from_db()
    assert run.archived_at is None
    assert actions() == ["eval.archived", "eval.brought_back"]


def test_a_run_at_work_is_not_archived(scene: EvalScene) -> None:
    with pytest.raises(Conflict) as refused:
        archive_eval(scene.actor(), eval_id=scene.run("pass", state="running").pk)
    assert refused.value.code == "eval_running"


@pytest.mark.spec("EV-D54", "EV-D55", "EV-32")
@pytest.mark.parametrize("act", ACTS)
def test_these_acts_need_datasets_edit(scene: EvalScene, act: Act) -> None:
    run = scene.run("pass")
    with pytest.raises(NotAllowed):
        act(scene.actor("operator"), eval_id=run.pk)
    for who in ("stranger", "colleague", "viewer"):
        with pytest.raises(NotFound):
            act(scene.actor(who), eval_id=run.pk)
    assert act(scene.actor("admin"), eval_id=run.pk) == run
