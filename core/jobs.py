"""Background jobs: the one door to django-q2.

`enqueue` starts a job only after the running transaction has committed, so a worker never looks for a row that is not
there yet and a rollback leaves no ghost. Arguments are ids only: the queue table keeps them readable.
"""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django_q.models import Schedule
from django_q.status import Stat
from django_q.tasks import async_task

Id = str | int | UUID


def enqueue(job: Callable[..., Any], **ids: Id) -> None:
    """Run `job(**ids)` in a worker once the present transaction has committed. Values are ids, nothing else."""
    named = {name: str(value) if isinstance(value, UUID) else value for name, value in ids.items()}
    transaction.on_commit(partial(async_task, f"{job.__module__}.{job.__qualname__}", **named))


def every_day(job: Callable[..., Any]) -> None:
    """Have the workers run `job()` once a day. Safe to call at every start: one schedule a job is kept."""
    Schedule.objects.update_or_create(
        name=f"{job.__module__}.{job.__qualname__}",
        defaults={"func": f"{job.__module__}.{job.__qualname__}", "schedule_type": Schedule.DAILY},
        create_defaults={
            "func": f"{job.__module__}.{job.__qualname__}",
            "schedule_type": Schedule.DAILY,
            "next_run": timezone.now() + timedelta(minutes=5),
        },
    )


def workers_alive() -> int:
    """How many job workers are up: each renews a sign of life in the shared cache that lasts three seconds."""
    return len(Stat.get_all())
