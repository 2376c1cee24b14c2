"""Background jobs: when they start, how often they are tried, what they leave behind (PL-50, PL-52)."""

import os
import signal
import subprocess
import sys
import tempfile
from ast import literal_eval
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.utils.module_loading import import_string
from django_q.models import Failure, OrmQ, Schedule, Success

from core import jobs
from core.jobs import JobFailed, attempt, enqueue, every_day, every_minutes, jobs_waiting, workers_alive
from tests.core import sample_jobs
from tests.core.sample_jobs import CANARY
from tests.worker import ROOT, running_worker, wait_until, worker_environment


def noted(note_id: str) -> int:
    return int(cache.get(f"note:{note_id}", 0))


class TurnedBack(Exception):
    """Ends a transaction that must leave nothing."""


def enqueue_and_turn_back(note_id: str) -> None:
    with transaction.atomic():
        enqueue(sample_jobs.note_job, note_id=note_id)
        raise TurnedBack


@pytest.mark.django_db(transaction=True)
class TestEnqueueing:
    @pytest.mark.spec("BC-40")
    def test_a_job_enters_the_queue_when_the_transaction_commits_and_not_before(self) -> None:
        with transaction.atomic():
            enqueue(sample_jobs.note_job, note_id="1")
            assert jobs_waiting() == 0
        assert jobs_waiting() == 1

    @pytest.mark.spec("BC-40")
    def test_a_rollback_leaves_no_job(self) -> None:
        with pytest.raises(TurnedBack):
            enqueue_and_turn_back("1")
        assert OrmQ.objects.count() == 0

    @pytest.mark.spec("BC-40")
    def test_the_queue_holds_the_job_by_name_and_its_ids(self) -> None:
        note_id = uuid4()
        enqueue(sample_jobs.note_job, note_id=note_id)
        name, delivery, ids, _request_id = OrmQ.objects.get().task["args"]
        assert (name, ids) == ("tests.core.sample_jobs.note_job", {"note_id": str(note_id)})
        assert len(delivery) == 32

    @pytest.mark.spec("BC-40")
    def test_a_text_is_no_id_and_is_refused(self) -> None:
        with pytest.raises(ValueError, match="ids only"):
            enqueue(sample_jobs.note_job, note_id="somebody's words " * 10)

    def test_a_daily_job_is_scheduled_once_however_often_it_is_asked_for(self) -> None:
        every_day(sample_jobs.note_job)
        first = Schedule.objects.get()
        every_day(sample_jobs.note_job)
        assert Schedule.objects.get().next_run == first.next_run

    def test_a_job_of_some_minutes_keeps_its_schedule_and_learns_another_number(self) -> None:
        every_minutes(sample_jobs.note_job, 10)
        first = Schedule.objects.get()
        every_minutes(sample_jobs.note_job, 15)
        again = Schedule.objects.get()
        assert (again.pk, again.next_run, again.minutes, again.schedule_type) == (first.pk, first.next_run, 15, "I")

    def test_two_schedules_that_two_machines_made_at_once_become_one(self) -> None:
        every_day(sample_jobs.note_job)
        first = Schedule.objects.get()
        Schedule.objects.create(name=first.name, func=first.func, args=first.args, schedule_type=Schedule.DAILY)
        every_day(sample_jobs.note_job)
        assert Schedule.objects.get().pk == first.pk


@pytest.mark.django_db
class TestAttempts:
    def test_an_attempt_runs_the_job_with_its_ids(self) -> None:
        note_id = uuid4().hex
        attempt("tests.core.sample_jobs.note_job", uuid4().hex, {"note_id": note_id}, "")
        assert noted(note_id) == 1

    @pytest.mark.spec("PL-52")
    def test_a_failure_is_raised_again_by_its_kind_and_without_its_words(self) -> None:
        with pytest.raises(JobFailed) as caught:
            attempt("tests.core.sample_jobs.failing_job", uuid4().hex, {"note_id": uuid4().hex}, "")
        assert str(caught.value) == "ValueError"
        assert caught.value.__suppress_context__

    def test_a_delivery_that_never_came_back_is_given_up_after_the_last_attempt(self) -> None:
        note_id, delivery = uuid4().hex, uuid4().hex
        for _ in range(settings.Q_CLUSTER["max_attempts"] + 2):
            attempt("tests.core.sample_jobs.note_job", delivery, {"note_id": note_id}, "")
        assert noted(note_id) == settings.Q_CLUSTER["max_attempts"]

    def test_each_day_of_a_schedule_is_a_delivery_of_its_own_whose_attempts_are_counted(self) -> None:
        every_day(sample_jobs.failing_job)
        schedule = Schedule.objects.get()
        for _day in range(2):
            import_string(schedule.func)(*literal_eval(schedule.args))
        sent = [message.task["args"] for message in OrmQ.objects.all()]
        assert [(name, ids) for name, _delivery, ids, _request in sent] == [
            ("tests.core.sample_jobs.failing_job", {})
        ] * 2
        assert len({delivery for _name, delivery, _ids, _request in sent} - {""}) == 2


def test_a_job_is_handed_out_again_only_after_it_was_stopped_however_long_it_waited_in_the_worker() -> None:
    queue = settings.Q_CLUSTER
    held_before_it = queue["queue_limit"] + 1
    assert queue["retry"] > queue["timeout"] * (1 + held_before_it)


@pytest.mark.django_db
@pytest.mark.spec("PL-52")
class TestHealth:
    def test_the_process_is_up(self, client: Client) -> None:
        assert client.get("/healthz").json() == {"status": "ok"}

    def test_without_a_worker_it_is_not_ready_and_says_so(self, client: Client) -> None:
        cache.clear()
        response = client.get("/readyz")
        assert response.status_code == 503
        assert response.json() == {"status": "not ready", "database": True, "workers": 0}

    def test_monitors_may_ask_by_bare_address(self, client: Client) -> None:
        assert client.get("/healthz", headers={"host": "10.1.2.3:8000"}).status_code == 200

    def test_health_asks_nothing_of_the_database(self, client: Client, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
        with django_assert_num_queries(0):
            client.get("/healthz", headers={"cookie": "sessionid=abc"})

    def test_a_broker_that_does_not_answer_is_no_worker_and_no_error(
        self, client: Client, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def unreachable() -> list[object]:
            raise jobs.RedisError("refused")

        monkeypatch.setattr(jobs.Stat, "get_all", unreachable)
        assert client.get("/readyz").json()["workers"] == 0


@pytest.mark.django_db(transaction=True)
class TestARealWorker:
    @pytest.fixture
    def worker_log(self) -> Iterator[Path]:
        cache.clear()
        with running_worker() as log:
            assert wait_until(lambda: workers_alive() == 1), log.read_text()
            yield log

    @pytest.mark.spec("PL-50", "PL-52", "BC-40")
    def test_it_runs_what_was_committed_and_nothing_else_and_shows_that_it_lives(
        self, worker_log: Path, client: Client
    ) -> None:
        done, ghost, failed = uuid4().hex, uuid4().hex, uuid4().hex
        assert client.get("/readyz").status_code == 200
        with pytest.raises(TurnedBack):
            enqueue_and_turn_back(ghost)
        enqueue(sample_jobs.failing_job, note_id=failed)
        with transaction.atomic():
            enqueue(sample_jobs.note_job, note_id=done)
        assert wait_until(lambda: Success.objects.exists() and Failure.objects.exists()), worker_log.read_text()
        assert (noted(done), noted(ghost), noted(failed)) == (1, 0, 1)
        assert "JobFailed" in Failure.objects.get().result
        assert CANARY not in Failure.objects.get().result
        assert CANARY not in worker_log.read_text()

    def test_a_signal_to_its_whole_process_group_stops_it_in_an_orderly_way(self) -> None:
        cache.clear()
        command = [sys.executable, "manage.py", "worker"]
        with tempfile.TemporaryFile() as log:
            worker = subprocess.Popen(command, cwd=ROOT, env=worker_environment(), stderr=log, start_new_session=True)
            assert wait_until(lambda: workers_alive() == 1)
            os.killpg(worker.pid, signal.SIGTERM)
            assert worker.wait(15) == 0
            log.seek(0)
            assert b"has stopped" in log.read()
        assert workers_alive() == 0

    def test_a_job_that_kills_its_worker_or_never_ends_is_tried_a_bounded_number_of_times(
        self, worker_log: Path
    ) -> None:
        killed, endless = uuid4().hex, uuid4().hex
        enqueue(sample_jobs.killing_job, note_id=killed)
        enqueue(sample_jobs.endless_job, note_id=endless)
        assert wait_until(lambda: OrmQ.objects.count() == 0, seconds=60), worker_log.read_text()
        assert noted(killed) == settings.Q_CLUSTER["max_attempts"]
        assert noted(endless) == settings.Q_CLUSTER["max_attempts"]
        assert '"job.given_up"' in worker_log.read_text()
