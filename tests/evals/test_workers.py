"""Workers at test runs: claims, leases, places, queue, and jobs that come twice (EV-D21, EV-D29, EV-D30, EV-D32)."""

import random
from collections.abc import Iterator
from datetime import timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from evals.logic import causes
from evals.models import Attempt, EvalRun, EvalState, Worker
from evals.operations import queueing
from evals.operations.claiming import Room, Waiting, claim_tasks, claim_ungraded, hand_back
from evals.operations.sweeping import sweep
from evals.operations.work import work_on
from evals.operations.workers import enter, leave, renew
from scoring.logic.findings import Reason
from scoring.models import Score
from tests.agents.provider_server import Answer, FakeProvider, completion
from tests.cast import Cast, make_cast
from tests.evals.working import GOOD, WorkScene, answering, questions


@pytest.fixture(autouse=True)
def _loopback_allowed(settings: Any) -> None:
    settings.OUTGOING_ALLOWED_HOSTS = ("127.0.0.1",)


@pytest.fixture
def provider() -> Iterator[FakeProvider]:
    with answering() as found:
        yield found


@pytest.fixture
def scene(cast: Cast, provider: FakeProvider) -> WorkScene:
    return WorkScene(cast, provider)


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    found: list[Any] = []
    monkeypatch.setattr(queueing, "enqueue_named", lambda _name, **ids: found.append((ids["run_id"], ids["turn"])))
    return found


def entered(run: EvalRun, turn: int | None = None) -> Worker:
    worker = enter(run.pk, turn)
    assert worker is not None
    return worker


def expire(worker: Worker, *, losses: int | None = None) -> None:
    """The worker was killed some time ago."""
    past = timezone.now() - timedelta(seconds=1)
    Worker.objects.filter(pk=worker.pk).update(alive_until=past)
    rows = Attempt.objects.filter(worker=str(worker.pk))
    rows.update(leased_until=past, **({} if losses is None else {"losses": losses}))


def claimed(worker: Worker, count: int) -> list[Any]:
    return claim_tasks(worker, Waiting(worker.run_id), Room(count, count, is_idle=True))[0]


# --- One worker at a run, whatever is delivered


@pytest.mark.spec("EV-D30")
def test_a_second_job_does_nothing_while_one_works(scene: WorkScene) -> None:
    run = scene.start()
    worker = entered(run)
    assert enter(run.pk, None) is None
    assert enter(run.pk, worker.run.turn) is None
    leave(worker)
    assert enter(run.pk, 0) is None
    assert entered(run, 1).run.turn == 2


@pytest.mark.spec("EV-D30")
def test_a_worker_that_is_leaving_lets_the_next_one_enter(scene: WorkScene) -> None:
    run = scene.start()
    worker = entered(run)
    Worker.objects.filter(pk=worker.pk).update(is_leaving=True)
    assert entered(run, 1).pk != worker.pk


@pytest.mark.spec("EV-D30")
def test_jobs_in_any_order_and_number_answer_each_case_once(scene: WorkScene) -> None:
    run = scene.start()
    dice = random.Random(30)  # noqa: S311
    for _job in range(12):
        work_on(run.pk, dice.choice([None, 0, 1, 2, 3]))
    run.refresh_from_db()
    assert run.state == EvalState.COMPLETED
    assert sorted(questions(scene.provider)) == ["Question 0", "Question 1", "Question 2"]
    assert (Score.objects.count(), scene.states(run)) == (3, ["done"] * 3)


@pytest.mark.spec("EV-D30")
@pytest.mark.django_db(transaction=True)
def test_two_threads_share_a_run_without_answering_anything_twice(settings: Any) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    with answering(lambda _question: Answer(completion(GOOD), slow=0.05)) as provider:
        scene = WorkScene(make_cast(), provider, cases=30)
        run = scene.start()

        def work() -> None:
            for _turn in range(3):
                work_on(run.pk)
            connection.close()

        threads = [Thread(target=work) for _thread in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        scene.worked(run)
    assert (run.state, scene.states(run)) == (EvalState.COMPLETED, ["done"] * 30)
    assert len(provider.asked) == len(set(questions(provider))) == 30


@pytest.mark.spec("EV-D30")
@pytest.mark.django_db(transaction=True)
def test_workers_that_claim_at_once_never_take_the_same_attempt() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    with answering() as provider:
        scene = WorkScene(make_cast(), provider, cases=40)
        run = scene.start()
        workers = [Worker.objects.create(run=run, alive_until=timezone.now() + timedelta(60)) for _ in range(3)]
        taken: list[Any] = []

        def take(worker: Worker) -> None:
            waiting = Waiting(run.pk)
            for _turn in range(20):
                with transaction.atomic():
                    taken.extend(task.attempt_id for task in claim_tasks(worker, waiting, Room(2, 2))[0])
            connection.close()

        threads = [Thread(target=take, args=(worker,)) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(taken) == len(set(taken)) == 40


# --- Places


@pytest.mark.spec("EV-D21")
def test_places_of_an_organisation_go_round_its_runs(scene: WorkScene, settings: Any) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN, settings.EVAL_CONCURRENCY_PER_ORG = 6, 8
    first, second = entered(scene.start()), entered(scene.start())
    assert renew(first, wanted=6, in_flight=0) in (4, 5)
    assert renew(second, wanted=6, in_flight=0) in (3, 4)
    assert renew(first, wanted=1, in_flight=1) == 1
    assert renew(second, wanted=6, in_flight=3) == 6
    # What is in flight keeps its place until it ends.
    assert renew(first, wanted=6, in_flight=1) == 2
    assert renew(second, wanted=6, in_flight=6) == 4
    assert renew(first, wanted=6, in_flight=2) == 2
    assert renew(second, wanted=6, in_flight=4) == 4
    assert renew(first, wanted=6, in_flight=2) == 4


@pytest.mark.spec("EV-D21")
def test_a_leaving_worker_keeps_the_places_of_its_calls_alone(scene: WorkScene, settings: Any) -> None:
    settings.EVAL_CONCURRENCY_PER_RUN = 4
    run = scene.start()
    old = entered(run)
    renew(old, wanted=4, in_flight=0)
    old.is_leaving = True
    assert renew(old, wanted=4, in_flight=3) == 0
    assert renew(entered(run), wanted=4, in_flight=0) == 1


@pytest.mark.spec("EV-D21")
def test_so_many_runs_are_at_work_and_the_oldest_queued_one_is_next(
    scene: WorkScene, settings: Any, jobs: list[Any]
) -> None:
    settings.EVAL_MAX_ACTIVE_PER_ORG = 1
    first, second, third = scene.start(), scene.start(), scene.start()
    entered(first)
    assert enter(third.pk, None) is None
    assert list(EvalRun.objects.order_by("number").values_list("state", flat=True)) == ["running", "queued", "queued"]
    Worker.objects.all().delete()
    scene.worked(first)
    sweep()
    second.refresh_from_db()
    third.refresh_from_db()
    assert (second.state, third.state) == (EvalState.RUNNING, EvalState.QUEUED)
    assert (second.pk, 0) in jobs
    assert scene.provider.most_at_once <= 4


# --- Lost workers


@pytest.mark.spec("EV-D29")
def test_attempts_of_a_lost_worker_wait_again_and_after_three_losses_end(scene: WorkScene, jobs: list[Any]) -> None:
    run = scene.start()
    worker = entered(run)
    claimed(worker, 2)
    sweep()
    assert scene.states(run).count("answering") == 2
    expire(worker)
    sweep()
    assert scene.states(run) == ["pending"] * 3
    assert sorted(Attempt.objects.values_list("losses", flat=True)) == [0, 1, 1]
    assert jobs == [(run.pk, 1)]
    expire_again = entered(run)
    claimed(expire_again, 1)
    expire(expire_again, losses=2)
    sweep()
    [lost] = Attempt.objects.filter(state="error")
    assert Reason.of_json(lost.error) == Reason(causes.WORKER_LOST, {"times": 3})
    scene.worked(run)
    assert (run.state, sorted(scene.states(run))) == (EvalState.COMPLETED, ["done", "done", "error"])


@pytest.mark.spec("EV-D29")
def test_a_stored_answer_of_a_lost_worker_is_graded_and_never_bought_again(scene: WorkScene) -> None:
    run = scene.worked(scene.start())
    lost = Attempt.objects.filter(run=run)[0]
    Score.objects.filter(attempt=lost).update(state="waiting", outcome="", graded_at=None)
    past = timezone.now() - timedelta(seconds=1)
    Attempt.objects.filter(pk=lost.pk).update(state="grading", worker="gone", leased_until=past, losses=1)
    EvalRun.objects.filter(pk=run.pk).update(state="running", finished_at=None)
    sweep()
    scene.worked(run)
    assert (run.state, scene.outcomes(run), len(scene.provider.asked)) == (EvalState.COMPLETED, ["pass"] * 3, 3)


@pytest.mark.spec("EV-D29")
def test_an_answer_that_workers_are_lost_over_is_given_up_and_keeps_its_answer(scene: WorkScene) -> None:
    run = scene.worked(scene.start())
    lost = Attempt.objects.filter(run=run)[0]
    Score.objects.filter(attempt=lost).update(state="waiting", outcome="", graded_at=None)
    Attempt.objects.filter(pk=lost.pk).update(state="answered", losses=3)
    EvalRun.objects.filter(pk=run.pk).update(state="running", finished_at=None)
    scene.worked(run)
    lost.refresh_from_db()
    assert lost.score is not None
    assert (run.state, lost.state, lost.score.outcome) == (EvalState.COMPLETED, "done", "unscored")
    assert lost.score.answer == GOOD


@pytest.mark.spec("EV-D29")
def test_what_workers_were_lost_over_is_not_taken_up_ahead_and_at_last_alone(scene: WorkScene) -> None:
    run = scene.start()
    worker = entered(run)
    Attempt.objects.update(losses=1)
    assert claim_tasks(worker, Waiting(run.pk), Room(3, 0))[0] == []
    assert len(claim_tasks(worker, Waiting(run.pk), Room(3, 2))[0]) == 2
    hand_back(worker)
    Attempt.objects.update(losses=2)
    assert claim_tasks(worker, Waiting(run.pk), Room(3, 3))[0] == []
    assert len(claim_tasks(worker, Waiting(run.pk), Room(3, 3, is_idle=True))[0]) == 1
    assert claim_ungraded(worker, Room(3, 3, is_idle=True)) == []


# --- Runs that hang


@pytest.mark.spec("EV-D32")
def test_a_run_that_does_not_move_on_is_picked_up_three_times_and_then_ends(scene: WorkScene, jobs: list[Any]) -> None:
    run = scene.start()
    leave(entered(run))
    for stalls in (1, 2, 3):
        EvalRun.objects.filter(pk=run.pk).update(progress_at=timezone.now() - timedelta(minutes=16))
        sweep()
        run.refresh_from_db()
        assert (run.state, run.stalls, jobs.count((run.pk, 1))) == (EvalState.RUNNING, stalls, stalls)
    EvalRun.objects.filter(pk=run.pk).update(progress_at=timezone.now() - timedelta(minutes=16))
    sweep()
    run.refresh_from_db()
    assert (run.state, Reason.of_json(run.cause)) == (EvalState.FAILED, causes.STALLED)


@pytest.mark.spec("EV-D32")
def test_a_run_with_a_live_worker_is_left_alone(scene: WorkScene, jobs: list[Any]) -> None:
    run = scene.start()
    entered(run)
    EvalRun.objects.filter(pk=run.pk).update(progress_at=timezone.now() - timedelta(minutes=60))
    sweep()
    run.refresh_from_db()
    assert (run.state, run.stalls, jobs) == (EvalState.RUNNING, 0, [])
