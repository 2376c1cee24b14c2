"""Which acts on a test run are offered, and why one is disabled (EV-D54, EV-D55)."""

from typing import Any

import pytest
from django.utils import timezone

from agents.models import Agent
from core.offers import NOT_OFFERED, OFFERED
from evals.models import EvalRun
from evals.queries.evals import Acts, acts_for
from tests.cast import Cast
from tests.evals.starts import StartScene


@pytest.fixture
def scene(cast: Cast) -> StartScene:
    return StartScene(cast)


def acts(scene: StartScene, run: EvalRun, who: str = "builder", **fields: Any) -> Acts:
    if fields:
        EvalRun.objects.filter(pk=run.pk).update(**fields)
    return acts_for(
        scene.actor(who), EvalRun.objects.select_related("agent", "agent_version", "snapshot").get(pk=run.pk)
    )


def offered(found: Acts) -> set[str]:
    return {name for name, offer in vars(found).items() if offer == OFFERED}


@pytest.mark.spec("EV-D54", "EV-D16")
@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ("queued", {"cancel", "again"}),
        ("running", {"cancel", "again"}),
        ("confirming", {"cancel", "again"}),
        ("cancelling", {"again"}),
        ("cancelled", {"resume", "again", "archive", "export"}),
        ("stopped", {"resume", "again", "archive", "export"}),
        ("failed", {"resume", "again", "archive", "export"}),
        ("completed", {"again", "baseline", "archive", "export"}),
    ],
)
def test_what_is_offered_follows_the_state(scene: StartScene, state: str, expected: set[str]) -> None:
    found = acts(scene, scene.start(), state=state)
    assert offered(found) == expected
    assert found.compare.reason
    scene.start()
    assert acts(scene, EvalRun.objects.latest("pk")).compare == OFFERED


@pytest.mark.spec("EV-D54", "EV-D55")
def test_who_may_only_run_the_dataset_is_offered_nothing_that_changes_its_runs(scene: StartScene) -> None:
    run = scene.ended("pass")
    assert offered(acts(scene, run, "operator")) == {"again", "export"}
    assert acts(scene, run, "operator").archive == NOT_OFFERED


def test_a_baseline_and_an_archived_run_are_offered_the_way_back(scene: StartScene) -> None:
    run = scene.ended("pass")
    assert "end_baseline" in offered(acts(scene, run, is_baseline=True))
    put_away = offered(acts(scene, run, is_baseline=False, archived_at=timezone.now()))
    assert put_away == {"bring_back", "again", "export"}


@pytest.mark.spec("EV-D28")
def test_resuming_is_disabled_with_the_reason_for_which_it_would_be_refused(scene: StartScene) -> None:
    run = scene.ended("pass", state="stopped")
    Agent.objects.filter(pk=scene.agent.pk).update(state="archived")
    assert "archived" in acts(scene, run).resume.reason
    scene.agent.delete()
    found = acts(scene, run)
    assert found.resume.reason
    assert found.again.reason
