"""Confirming what changed, and what goes to review once a run completes (EV-39 to EV-44, EV-D43, EV-D46 to EV-D50)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import pytest

from evals import places
from evals.logic.classes import ChangeClass
from evals.models import Attempt, EvalRun, EvalState
from evals.operations.completion import advance
from evals.operations.work import work_on
from evals.places import SentToReview
from evals.queries.comparison import compare
from scoring.models import Score
from tests.agents.provider_server import FakeProvider
from tests.cast import Cast
from tests.evals.working import GOOD, WorkScene, answering, questions


class Moods:
    """Answers by question: a list is said one after the other, its last again and again."""

    def __init__(self) -> None:
        self.said: dict[str, list[str]] = {}

    def __call__(self, question: str) -> str:
        left = self.said.get(question, [GOOD])
        return left.pop(0) if len(left) > 1 else left[0]


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)
    # What is chosen is kept at the run while no app takes it.
    monkeypatch.setattr(places, "_found", {})


@pytest.fixture
def moods() -> Moods:
    return Moods()


@pytest.fixture
def provider(moods: Moods) -> Iterator[FakeProvider]:
    with answering(moods) as found:
        yield found


@pytest.fixture
def scene(cast: Cast, provider: FakeProvider) -> WorkScene:
    return WorkScene(cast, provider, cases=4)


def changes(run: EvalRun) -> list[tuple[str, bool]]:
    assert run.baseline is not None
    return [(one.change.value, one.is_confirmed) for one in compare(run, run.baseline).changes.values()]


@pytest.mark.spec("EV-39", "EV-40", "EV-41", "EV-44", "EV-D46", "EV-D48", "EV-D49")
def test_what_changed_is_answered_twice_more_and_confirmed_or_flaky(scene: WorkScene, moods: Moods) -> None:
    moods.said["Question 2"] = ["No.", GOOD]
    before = scene.run()
    moods.said |= {"Question 0": ["No."], "Question 1": ["No.", GOOD]}
    del scene.provider.asked[:]
    run = scene.run()
    assert (run.state, run.baseline) == (EvalState.COMPLETED, before)
    assert changes(run) == [("regressed", True), ("flaky", False), ("improved", True), ("unchanged", False)]
    assert Counter(questions(scene.provider)) == {"Question 0": 3, "Question 1": 3, "Question 2": 3, "Question 3": 1}
    latest = Attempt.objects.filter(run=run, item__case=scene.revisions[0].case_id).order_by("-number")[0]
    assert (latest.kind, latest.number) == ("confirm", 3)
    assert run.review == {
        "regressions": 1, "judge_errors": 0, "sent": 0, "not_sent": [], "to_send": [str(latest.score_id)],
    }  # fmt: skip


@pytest.mark.spec("EV-D47")
def test_at_most_so_many_cases_are_confirmed_regressions_first(scene: WorkScene, moods: Moods, settings: Any) -> None:
    settings.EVAL_CONFIRM_MAX_CASES = 1
    moods.said["Question 0"] = ["No.", GOOD]
    scene.run()
    moods.said |= {"Question 1": ["No."]}
    run = scene.run()
    assert changes(run)[:2] == [("improved", False), ("regressed", True)]


@pytest.mark.spec("EV-D50")
def test_with_confirming_off_nothing_is_asked_again_and_nothing_sent(scene: WorkScene, moods: Moods) -> None:
    scene.run()
    moods.said |= {"Question 0": ["No."]}
    run = scene.run(confirm_changes=False)
    assert (run.state, Attempt.objects.filter(run=run).count()) == (EvalState.COMPLETED, 4)
    assert changes(run)[0] == ("regressed", False)
    assert run.review is not None
    assert run.review["to_send"] == []


@pytest.mark.spec("EV-42", "EV-43", "EV-D40", "EV-D48")
def test_judge_errors_are_sent_and_skipped_answers_are_not(cast: Cast) -> None:
    def grade(material: dict[str, Any], _criterion: str) -> int:
        return 9 if "Question 1" in material["answer"] else 5

    with answering(lambda question: f"{question}: 30 days", grade) as provider:
        scene = WorkScene(cast, provider, cases=2)
        scene.judged()
        run = scene.run(baseline=None)
    score = Score.objects.get(judge_trouble="error")
    assert run.review is not None
    assert (run.state, run.review["judge_errors"]) == (EvalState.COMPLETED, 1)
    assert run.review["to_send"] == [str(score.pk)]


@pytest.mark.spec("EV-D43")
def test_nothing_is_confirmed_against_answers_that_another_judge_graded(cast: Cast) -> None:
    grade = [5]
    with answering(grade=lambda _material, _criterion: grade[0]) as provider:
        scene = WorkScene(cast, provider, cases=1)
        scene.judged()
        scene.run()
        grade[0] = 1
        scene.judge_by(scene.judge_model, instructions="Be strict.")
        run = scene.run()
    assert (run.state, Attempt.objects.filter(run=run).count()) == (EvalState.COMPLETED, 1)
    assert changes(run) == [(ChangeClass.REGRESSED.value, False)]
    assert run.review is not None
    assert run.review["to_send"] == []


@pytest.mark.spec("EV-D49")
def test_the_scores_are_sent_once_in_the_transaction_that_completes_the_run(scene: WorkScene, moods: Moods) -> None:
    calls: list[tuple[EvalRun, list[UUID]]] = []

    def send(run: EvalRun, score_ids: Sequence[UUID]) -> SentToReview:
        calls.append((run, list(score_ids)))
        return SentToReview(1, {score_ids[1]: "place_taken"})

    scene.run()
    moods.said |= {"Question 0": ["No."], "Question 1": ["No."]}
    places.set_review(send)
    run = scene.run()
    advance(run)
    work_on(run.pk)
    run.refresh_from_db()
    [(sent, score_ids)] = calls
    assert (sent.pk, len(score_ids)) == (run.pk, 2)
    assert run.review == {
        "regressions": 2, "judge_errors": 0, "sent": 1, "to_send": [],
        "not_sent": [{"score": str(score_ids[1]), "cause": "place_taken"}],
    }  # fmt: skip
