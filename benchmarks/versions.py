"""Whether versions stay quick: pages against the length of the history, edits and comparisons against the cases."""

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.actor import Actor
from accounts.operations.api_keys import issue_api_key
from accounts.operations.setup import set_up
from benchmarks.measuring import analyse
from benchmarks.speed import file_of
from core.limits import LIMITS
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.imports import import_file
from datasets.operations.restores import restore_version
from datasets.queries.cases import CaseFilter
from datasets.queries.comparisons import compare_versions
from datasets.queries.versions import cases_of_version
from datasets.queries.whole_version import rows_of_version

CASES, SHORT, LONG = 500, 10, 2_000


def main() -> None:
    """Print every measurement. Times are the shortest of several, since other work on the machine only adds."""
    member = set_up(email="bench@example.org", name="Bench", password="x" * 20, organisation_name="Bench")
    actor = Actor.of_member(member)
    print(f"database: {connection.vendor}; times in ms\n")
    measure_pages(actor)
    measure_edits(actor)
    measure_whole_datasets(actor)


def shortest(act: Callable[[], Any], times: int = 15) -> float:
    found = []
    for _time in range(times):
        began = time.perf_counter()
        act()
        found.append((time.perf_counter() - began) * 1000)
    return min(found) if times > 3 else statistics.median(found)


def beside(what: str, first: tuple[str, float], second: tuple[str, float]) -> None:
    """Two times and their ratio."""
    print(f"{what:34}{first[0]:>16}{first[1]:9.1f}{second[0]:>18}{second[1]:9.1f}   ratio {second[1] / first[1]:.2f}")


def made(actor: Actor, name: str, cases: int, versions: int = 1) -> Dataset:
    """A dataset of so many cases, changed one by one until it has so many versions."""
    dataset = create_dataset(actor, name=name)
    import_file(actor, dataset_id=dataset.pk, name="a.csv", data=file_of(cases))
    ids, dice = ids_of(dataset), random.Random(3)
    for number in range(versions - 1):
        edit_case(actor, dataset_id=dataset.pk, case_id=dice.choice(ids), changes={"note": f"n{number}"})
    analyse()
    dataset.refresh_from_db()
    return dataset


def ids_of(dataset: Dataset) -> list[Any]:
    return list(CaseRevision.objects.newest(dataset).in_order().values_list("case_id", flat=True))


def page(actor: Actor, dataset: Dataset, number: int) -> None:
    total = cases_of_version(dataset, number)
    rows = rows_of_version(actor, dataset, number, CaseFilter(), ["-position"], total=total)
    assert rows.count() == CASES
    assert len(rows[:50]) == 50


def measure_pages(actor: Actor) -> None:
    short, long = made(actor, "Short", CASES, SHORT), made(actor, "Long", CASES, LONG)
    for what, newer in (("first", 0.0), ("middle", 0.5), ("newest", 1.0)):
        times = [page_time(actor, one, max(1, round(one.newest_version * newer))) for one in (short, long)]
        beside(f"page of 50, {what} version", (f"{SHORT} versions", times[0]), (f"{LONG:,} versions", times[1]))
    key = issue_api_key(actor, name="bench").raw
    api, browser = Client(headers={"Authorization": f"Bearer {key}"}), Client()
    assert actor.member is not None
    browser.force_login(actor.member.user)
    for what, client, path in (
        ("GET cases", api, "/api/v1/datasets/{}/cases"),
        ("console page", browser, "/datasets/{}/"),
        ("list of versions", browser, "/datasets/{}/versions/"),
    ):
        times = [answer_time(client, path.format(one.pk)) for one in (short, long)]
        beside(what, (f"{SHORT} versions", times[0]), (f"{LONG:,} versions", times[1]))
        with CaptureQueriesContext(connection) as queries:
            ask(client, path.format(long.pk))
        of_datasets = sum('"datasets_' in query["sql"] for query in queries.captured_queries)
        print(f"    {len(queries)} statements, {of_datasets} of them about datasets")


def page_time(actor: Actor, dataset: Dataset, number: int) -> float:
    return shortest(lambda: page(actor, dataset, number))


def answer_time(client: Client, path: str) -> float:
    return shortest(lambda: ask(client, path))


def ask(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


def measure_edits(actor: Actor) -> None:
    print()
    times = [edit_time(actor, cases) for cases in (100, LIMITS.cases)]
    beside("edit of one case", ("100 cases", times[0]), (f"{LIMITS.cases:,} cases", times[1]))


def edit_time(actor: Actor, cases: int) -> float:
    dataset = made(actor, f"Edited {cases}", cases)
    ids = iter(ids_of(dataset))
    changes = {"note": "changed"}
    return shortest(lambda: edit_case(actor, dataset_id=dataset.pk, case_id=next(ids), changes=changes), 60)


def measure_whole_datasets(actor: Actor) -> None:
    print()
    dataset = made(actor, "Whole", LIMITS.cases, 300)
    newest = dataset.newest_version
    for first in (newest - 1, newest // 2, 1):
        took = compare_time(actor, dataset, first, newest)
        print(f"compare {first} with {newest}, {LIMITS.cases:,} cases{took:25.1f}")
    began = time.perf_counter()
    done = restore_version(actor, dataset_id=dataset.pk, number=1)
    took = (time.perf_counter() - began) * 1000
    print(f"restore version 1: {done.version.edited} cases differ{took:27.1f}")
    dataset.refresh_from_db()
    took = compare_time(actor, dataset, newest, newest + 1)
    print(f"compare with what was restored{took:31.1f}")
    everything = made(actor, "Emptied", LIMITS.cases)
    took = compare_time(actor, everything, 0, 1)
    print(f"compare where all {LIMITS.cases:,} cases differ{took:24.1f}")


def compare_time(actor: Actor, dataset: Dataset, first: int, second: int) -> float:
    return shortest(lambda: compare_versions(actor, dataset, first, second).cases[0:50], 5)
