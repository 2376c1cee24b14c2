"""Imports in a process that is killed at a random moment, and what is left of them (BC-8, DS-123).

Small in test_kills.py; in full size with `python -m benchmarks kills`.
"""

import os
import random
import signal
import time
from collections import Counter
from dataclasses import dataclass, field

from django.db import connections

from accounts.actor import Actor
from accounts.models import IdempotentRequest
from datasets.models import Case, CaseRevision, Dataset, DatasetVersion, RevisionUsage
from datasets.operations.datasets import create_dataset
from datasets.operations.imports import ImportResult, import_file_once

ROWS = 300
# So many imports fit into one dataset.
KILLS_A_DATASET = 30


@dataclass
class Left:
    """What was left after each kill: nothing, or a whole version where the process had just ended its work."""

    found: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def kill_imports(actor: Actor, *, kills: int, rows: int = ROWS) -> Left:
    """Import so many files in turn; each in a process that is killed, looked at, and then imported again with its key.

    The moments are spread over a little more than the time that an import takes when nobody kills it.
    """
    left, dice = Left(), random.Random(8)  # noqa: S311
    dataset = create_dataset(actor, name="Kills")
    whole = _seconds_of_one(actor, dataset, rows)
    for number in range(kills):
        if number % KILLS_A_DATASET == 0:
            dataset = create_dataset(actor, name=f"Kills from {number}")
        before = _stored(dataset)
        _killed_after(dice.uniform(0, whole * 1.1), actor, dataset, number, rows)
        after = _stored(dataset)
        if after == before:
            left.found["nothing"] += 1
        elif after == _one_more(before, rows):
            left.found["the whole version"] += 1
        else:
            left.faults.append(f"kill {number}: {before} became {after}")
        result = _import(actor, dataset, number, rows)
        if _stored(dataset) != _one_more(before, rows) or result.added != rows:
            left.faults.append(f"kill {number}: imported again, {before} became {_stored(dataset)}")
    return left


def _seconds_of_one(actor: Actor, dataset: Dataset, rows: int) -> float:
    process, began = _started(actor, dataset, -1, rows), time.perf_counter()
    _pid, status = os.waitpid(process, 0)
    if status:
        raise RuntimeError(f"the import that nobody kills ended with {status}")
    return time.perf_counter() - began


def _killed_after(seconds: float, actor: Actor, dataset: Dataset, number: int, rows: int) -> None:
    process = _started(actor, dataset, number, rows)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


def _started(actor: Actor, dataset: Dataset, number: int, rows: int) -> int:
    """A copy of this process that imports and ends. No connection may be open while it is made."""
    connections.close_all()
    process = os.fork()
    if process:
        return process
    ended_well = False
    try:
        _import(actor, dataset, number, rows)
        ended_well = True
    finally:
        os._exit(not ended_well)


def _import(actor: Actor, dataset: Dataset, number: int, rows: int) -> ImportResult:
    pattern = '"[{""type"":""regex"",""value"":""^a+$""}]"'
    lines = "".join(f"{number} {row},a,{pattern if not row % 50 else ''}\n" for row in range(rows))
    data = f"input,reference_answer,checks\n{lines}".encode()
    return import_file_once(actor, dataset_id=dataset.pk, name="x.csv", data=data, key=f"k{number}")


def _stored(dataset: Dataset) -> tuple[int, ...]:
    """How much of everything there is; all of it changes with an import or nothing does."""
    dataset.refresh_from_db()
    usage = RevisionUsage.objects.filter(organisation_id=dataset.organisation_id).first()
    models = (DatasetVersion, Case, CaseRevision, IdempotentRequest)
    return (
        dataset.newest_version,
        dataset.case_count,
        dataset.next_position - 1,
        usage.revisions if usage else 0,
        *(model.objects.count() for model in models),
    )


def _one_more(before: tuple[int, ...], rows: int) -> tuple[int, ...]:
    more = (1, rows, rows, rows, 1, rows, rows, 1)
    return tuple(number + change for number, change in zip(before, more, strict=True))
