"""Background jobs: the one door to django-q2.

`enqueue` starts a job only after the running transaction has committed, so a worker never looks for a row that is not
there yet and a rollback leaves no ghost. Arguments are ids only: the queue table keeps them readable.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import structlog
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.brokers import get_broker
from django_q.brokers.orm import ORM
from django_q.brokers.redis_broker import Redis
from django_q.conf import Conf
from django_q.exceptions import TimeoutException
from django_q.models import Schedule
from django_q.status import Stat
from django_q.tasks import async_task
from redis import RedisError

from core.logging import logger

log = logger("casebook.jobs")
Id = str | int | UUID
Job = Callable[..., Any]

# A worker writes its sign of life each second. It may wait longer than that for SQLite's write lock.
SIGN_OF_LIFE_SECONDS = 15
ID_CHARACTERS = 64
ATTEMPTS_KEPT_SECONDS = 7 * 24 * 3600


class QueueUnreachable(Exception):
    """The queue's broker does not answer."""


class JobFailed(Exception):
    """What a failed job leaves behind: the kind of its error and no message, which may quote somebody's text."""


def enqueue(job: Job, **ids: Id) -> None:
    """Run `job(**ids)` in a worker once the present transaction has committed.

    Raises `ValueError` for a value that is no id: whatever is longer than one may be somebody's text.
    """
    enqueue_named(name_of(job), **ids)


def enqueue_named(job_name: str, **ids: Id) -> None:
    """The same by the dotted name of the job, for operations: they may not know the jobs, which call them."""
    named: dict[str, Id] = {name: str(value) if isinstance(value, UUID) else value for name, value in ids.items()}
    if any(len(str(value)) > ID_CHARACTERS for value in named.values()):
        raise ValueError("a job takes ids only")
    request_id = structlog.contextvars.get_contextvars().get("request_id", "")
    transaction.on_commit(partial(_put, job_name, named, request_id))


def every_day(job: Job) -> None:
    """Have the workers run `job()` once a day. Safe to call at every start: one schedule a job is kept."""
    _keep_schedule(job, schedule_type=Schedule.DAILY)


def every_minutes(job: Job, minutes: int) -> None:
    """Have the workers run `job()` every so many minutes; safe to call at every start."""
    _keep_schedule(job, schedule_type=Schedule.MINUTES, minutes=minutes)


def _keep_schedule(job: Job, **how_often: Any) -> None:
    """Two machines that are set up at once may both make one, since django-q2's table lets them: the oldest stays."""
    name = name_of(job)
    kept = {"func": "core.jobs.start_scheduled", "args": f"('{name}',)", **how_often}
    made = Schedule.objects.filter(name=name).order_by("pk").values_list("pk", flat=True)
    Schedule.objects.filter(pk__in=list(made[1:])).delete()
    Schedule.objects.update_or_create(
        name=name, defaults=kept, create_defaults={**kept, "next_run": timezone.now() + timedelta(minutes=5)}
    )


def name_of(job: Job) -> str:
    """The dotted name under which a worker finds the job."""
    return f"{job.__module__}.{job.__qualname__}"


def workers_alive() -> int:
    """How many job workers show a fresh sign of life; raises `QueueUnreachable` or a `DatabaseError`."""
    try:
        signs = Stat.get_all()
    except RedisError as error:
        raise QueueUnreachable from error
    return sum(str(sign.status) not in (str(Conf.STOPPING), str(Conf.STOPPED)) for sign in signs)


def start_scheduled(name: str) -> None:
    """What a schedule runs: puts the job into the queue as a delivery of its own, so that its attempts are counted."""
    _put(name, {}, "")


def _put(name: str, ids: dict[str, Id], request_id: str) -> None:
    async_task("core.jobs.attempt", name, uuid4().hex, ids, request_id, q_options={"group": name})


def attempt(name: str, delivery: str, ids: dict[str, Id], request_id: str) -> None:
    """What a worker runs: one attempt at the job `name`, counted before it begins.

    A job that kills its worker leaves no failure behind and is handed out again for ever; the count ends that. What
    fails is logged and raised again without its message.
    """
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(job=name, request_id=request_id or delivery)
    number = _counted(delivery)
    if number > settings.Q_CLUSTER["max_attempts"]:
        log.error("job.given_up", attempts=number - 1)
        return
    try:
        import_string(name)(**ids)
    except TimeoutException:
        log.error("job.timed_out", attempt=number)
        raise TimeoutException("out of time") from None
    except Exception as error:
        log.error("job.failed", attempt=number, exc_info=error)
        raise JobFailed(type(error).__name__) from None
    log.info("job.done", attempt=number)


def _counted(delivery: str) -> int:
    """Which attempt this is, from 1. A delivery has one worker at a time, so two cannot count at once."""
    key = f"job-attempts:{delivery}"
    number = int(cache.get(key, 0)) + 1
    cache.set(key, number, ATTEMPTS_KEPT_SECONDS)
    return number


class DatabaseQueue(ORM):
    """The queue in the database: delivers at least once."""

    def set_stat(self, key: str, value: str, timeout: int) -> None:
        super().set_stat(key, value, SIGN_OF_LIFE_SECONDS)

    def get_stats(self, pattern: str) -> list[Any]:
        """The signs of life, read without writing: asking must not wait for a writer."""
        keys = self.get_cache().get(Conf.Q_STAT) or []
        return list(self.get_cache().get_many(keys).values())


class RedisQueue(Redis):
    """The queue in Redis: delivers at most once, so what must happen is found again in our own rows."""

    def set_stat(self, key: str, value: str, timeout: int) -> None:
        super().set_stat(key, value, SIGN_OF_LIFE_SECONDS)


def jobs_waiting() -> int:
    """How many jobs stand in the queue, those being worked on left out."""
    return int(get_broker().queue_size())
