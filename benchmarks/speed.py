"""What versions, imports and exports cost, beside the least that the same work could cost."""

import csv
import io
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.db import connection, transaction
from django.db.models import Q

from accounts.actor import Actor
from benchmarks.people import owner
from core.limits import LIMITS
from datasets.logic.drafts import FIELDS
from datasets.logic.intervals import fork
from datasets.models import Case, CaseRevision, Dataset
from datasets.operations.cases import edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.exports import export_version
from datasets.operations.imports import import_file
from datasets.queries.case_rows import CaseRows
from datasets.queries.cases import CaseFilter, revisions_of

HISTORY = 200_000
REPEATS = 7
MEGABYTES = 200


def main() -> None:
    """Print every measurement."""
    actor = owner()
    print(f"database: {connection.vendor}; times are medians of {REPEATS} in ms unless said otherwise\n")
    dataset = measure_import(actor)
    measure_edit(actor, dataset)
    measure_pages(actor, make_history(dataset))
    measure_export(actor, dataset)


def timed(act: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The median time of an act in milliseconds."""
    times = []
    for _repeat in range(repeats):
        began = time.perf_counter()
        act()
        times.append((time.perf_counter() - began) * 1000)
    return statistics.median(times)


def line(what: str, ours: float, least: float | None = None, beside: str = "") -> None:
    ratio = f"  {least:10.1f}  {ours / least:6.1f} ×  {beside}" if least else f"  {beside}"
    print(f"{what:52}{ours:10.1f}{ratio}")


def megabytes_more(act: Callable[[], Any]) -> float:
    """How much more memory the process held at its highest while it did this than before."""
    Path("/proc/self/clear_refs").write_text("5")
    before = _kilobytes("VmRSS")
    act()
    return (_kilobytes("VmHWM") - before) / 1024


def _kilobytes(name: str) -> int:
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{name}:")[1].split()[0])


def memory(what: str, megabytes: float) -> None:
    print(f"{what:52}{megabytes:10.1f}  MB more at its highest, of {MEGABYTES} allowed")


def file_of(cases: int) -> bytes:
    """A CSV of ordinary cases, nearly as large as a file may be: a question, an answer, tags, a check."""
    dice = random.Random(1)
    words = "order return refund kettle invoice window delivery address account password warranty spare part".split()
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(["input", "reference_answer", "tags", "checks"])
    for number in range(cases):
        question = f"{number}: " + " ".join(dice.choices(words, k=42)) + "?"
        answer = " ".join(dice.choices(words, k=80))
        writer.writerow([question, answer, "billing,returns", '[{"type":"contains","value":"kettle"}]'])
    data = buffer.getvalue().encode()
    assert 0.9 * LIMITS.import_bytes < len(data) <= LIMITS.import_bytes or cases < LIMITS.cases
    return data


# --- Import


def measure_import(actor: Actor) -> Dataset:
    data = file_of(LIMITS.cases)
    first = create_dataset(actor, name="Import 0")
    # First of all: later on the process has room left over from before.
    used = megabytes_more(lambda: import_file(actor, dataset_id=first.pk, name="a.csv", data=data))
    memory(f"import {LIMITS.cases:,} cases", used)
    datasets = [create_dataset(actor, name=f"Import {number}") for number in (1, 2)]
    ours = [
        timed(lambda one=one: import_file(actor, dataset_id=one.pk, name="a.csv", data=data), 1) for one in datasets
    ]
    least = timed(lambda: bare_import(actor, data), 3)
    line(f"import {LIMITS.cases:,} cases ({len(data) / 1024 / 1024:.1f} MB)", min(ours), least, "bare parse and insert")
    again = timed(lambda: import_file(actor, dataset_id=first.pk, name="a.csv", data=data), 1)
    line("the same again, with nothing new", again, least, "bare parse and insert")
    return Dataset.objects.get(pk=first.pk)


def bare_import(actor: Actor, data: bytes) -> None:
    """Parse and insert, without a rule, a version, a place or an audit entry."""
    dataset = create_dataset(actor, name="Bare")
    rows = list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    with transaction.atomic():
        cases = [Case(dataset=dataset, position=place) for place in range(len(rows))]
        Case.objects.bulk_create(cases, batch_size=500)
        revisions = [
            CaseRevision(
                dataset=dataset,
                case=case,
                position=case.position,
                since=1,
                source="import",
                input=row["input"],
                reference_answer=row["reference_answer"],
                question_hash="",
            )
            for case, row in zip(cases, rows, strict=True)
        ]
        CaseRevision.objects.bulk_create(revisions, batch_size=500)
    dataset.delete()


# --- Edit


def measure_edit(actor: Actor, dataset: Dataset) -> None:
    ids = list(CaseRevision.objects.newest(dataset).in_order().values_list("case_id", flat=True)[:50])
    numbers = iter(range(1000))

    def edit() -> None:
        number = next(numbers)
        edit_case(actor, dataset_id=dataset.pk, case_id=ids[number], changes={"note": f"n{number}"})

    one = CaseRevision.objects.newest(dataset).first()
    least = timed(lambda: CaseRevision.objects.filter(pk=one.pk).update(note="x"), 20)
    line(f"edit one of {LIMITS.cases:,} cases", timed(edit, 20), least, "one bare UPDATE")


# --- Pages of any version


def make_history(dataset: Dataset) -> Dataset:
    """Give the dataset a long past: so many versions that each edited one case."""
    dataset.refresh_from_db()
    dice = random.Random(2)
    rows = list(CaseRevision.objects.newest(dataset))
    began = {row.case_id: row.since for row in rows}
    ended: list[tuple[CaseRevision, int, int]] = []
    number = dataset.newest_version
    for _step in range(HISTORY):
        number += 1
        row = dice.choice(rows)
        ended.append((row, began[row.case_id], number))
        began[row.case_id] = number
    for row in rows:
        row.since = began[row.case_id]
    CaseRevision.objects.bulk_update(rows, ["since"], batch_size=200)
    for start in range(0, HISTORY, 5_000):
        closed = [copy_of(*one) for one in ended[start : start + 5_000]]
        CaseRevision.objects.bulk_create(closed, batch_size=500)
    Dataset.objects.filter(pk=dataset.pk).update(newest_version=number)
    dataset.refresh_from_db()
    print(f"\n{CaseRevision.objects.count():,} revisions, {number:,} versions, {len(rows):,} cases in each")
    return dataset


def copy_of(row: CaseRevision, since: int, until: int) -> CaseRevision:
    return CaseRevision(
        dataset_id=row.dataset_id,
        case_id=row.case_id,
        position=row.position,
        since=since,
        until=until,
        fork=fork(since, until),
        source=row.source,
        input=row.input,
        reference_answer=row.reference_answer,
        question_hash=row.question_hash,
        search_text=row.search_text,
    )


def measure_pages(actor: Actor, dataset: Dataset) -> None:
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    newest = dataset.newest_version
    for number in (1, newest // 3, newest - 1, newest):
        plain = Q(since__lte=number) & (Q(until=None) | Q(until__gt=number))
        naive = CaseRevision.objects.filter(plain, dataset=dataset)
        least = timed(lambda naive=naive: read_page(actor, naive, 1), 3)
        ours = timed(lambda number=number: read_page(actor, revisions_of(actor, dataset, number, CaseFilter()), number))
        line(f"page of 50 with its total, version {number:,}", ours, least, "two plain comparisons")
    searched = timed(
        lambda: read_page(actor, revisions_of(actor, dataset, newest // 3, CaseFilter(search="kettle")), 1)
    )
    line(f"the same with a search, version {newest // 3:,}", searched)


def read_page(actor: Actor, rows: Any, number: int) -> None:
    rows.count()
    assert len(CaseRows(actor, rows.order_by("-position"), number)[:50]) == 50


# --- Export


def measure_export(actor: Actor, dataset: Dataset) -> None:
    def export(kind: str) -> int:
        return sum(len(piece) for piece in export_version(actor, dataset_id=dataset.pk, file_format=kind).pieces)

    def read_rows() -> int:
        return len(list(CaseRevision.objects.newest(dataset).in_order().values_list(*FIELDS)))

    least = timed(read_rows, 3)
    print()
    for kind in ("csv", "jsonl"):
        tracemalloc.start()
        export(kind)
        memory(f"export as {kind}", tracemalloc.get_traced_memory()[1] / 1024 / 1024)
        tracemalloc.stop()
        line(
            f"export {LIMITS.cases:,} cases as {kind} ({export(kind) / 1024 / 1024:.1f} MB)",
            timed(lambda kind=kind: export(kind), 3),
            least,
            "reading the nine columns",
        )
