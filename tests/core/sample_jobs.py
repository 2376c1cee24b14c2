"""Jobs that tests of the queue let a real worker run."""

import os
import signal
import time

from django.core.cache import cache

CANARY = "zebra-canary-7731"


def note_job(*, note_id: str) -> None:
    cache.set(f"note:{note_id}", cache.get(f"note:{note_id}", 0) + 1)


def failing_job(*, note_id: str) -> None:
    note_job(note_id=note_id)
    raise ValueError(f"the text was: {CANARY}")


def killing_job(*, note_id: str) -> None:
    note_job(note_id=note_id)
    os.kill(os.getpid(), signal.SIGKILL)


def endless_job(*, note_id: str) -> None:
    note_job(note_id=note_id)
    time.sleep(60)
