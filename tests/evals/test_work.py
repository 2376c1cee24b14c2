"""Working on test runs: answers, grades, states, and each way in which a run ends (EV-D12 to EV-D34)."""

from collections.abc import Iterator
from typing import Any

import pytest

from activity.models import Conversation, Run, RunKind
from evals.models import Attempt, EvalState
from scoring.models import Score
from tests.agents.provider_server import FakeProvider
from tests.cast import Cast
from tests.evals.working import WorkScene, answering, questions


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with answering(lambda question: "No idea." if "1" in question else "You have 30 days.") as found:
        yield found


@pytest.fixture
def scene(cast: Cast, provider: FakeProvider) -> WorkScene:
    return WorkScene(cast, provider)


@pytest.mark.spec("EV-7", "EV-8", "EV-9", "EV-13", "EV-14", "EV-16", "EV-D13", "EV-D17")
def test_every_case_is_answered_and_graded_and_the_run_completes(scene: WorkScene) -> None:
    run = scene.run()
    assert (run.state, run.cause) == (EvalState.COMPLETED, None)
    assert run.started_at and run.finished_at
    assert scene.outcomes(run) == ["pass", "fail", "pass"]
    assert scene.states(run) == ["done"] * 3
    assert sorted(questions(scene.provider)) == ["Question 0", "Question 1", "Question 2"]
    runs = list(Run.objects.filter(kind=RunKind.EVAL))
    assert len(runs) == 3 and Conversation.objects.count() == 3
    for attempt in Attempt.objects.filter(run=run).select_related("score", "agent_run"):
        assert attempt.score and attempt.agent_run
        assert (attempt.score.run_id, attempt.score.is_pinned, attempt.score.origin) == (
            attempt.agent_run_id,
            True,
            "eval",
        )
        assert (attempt.tries, attempt.worker, attempt.leased_until) == (1, "", None)
        assert attempt.cost == attempt.agent_run.cost and attempt.cost
    assert not Score.objects.filter(state="waiting").exists()


@pytest.mark.spec("EV-D25", "EV-34", "EV-35")
def test_a_judge_grades_with_the_pin_of_the_run(scene: WorkScene) -> None:
    scene.judged()
    run = scene.run()
    assert run.state == EvalState.COMPLETED
    assert scene.outcomes(run) == ["pass", "fail", "pass"]
    assert set(Score.objects.values_list("pin_hash", flat=True)) == {run.pin_hash}
