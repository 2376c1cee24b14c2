"""A version reads as it was, whatever is written between reading the dataset and reading its cases (DS-55, DS-57)."""

from collections.abc import Callable
from threading import Event, Thread
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, connections

from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.restores import restore_version
from datasets.queries.cases import CaseFilter, cases_in_order, find_case, newest_version_with, tags_of
from datasets.queries.version_changes import changes_between
from datasets.queries.versions import cases_of_version
from datasets.queries.whole_version import rows_of_version
from tests.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    """Three cases, in version 3."""
    builder = cast.actor("builder")
    made = create_dataset(builder, name="Returns")
    for question in "abc":
        draft = CaseDraft(question, reference_answer="x", tags=(f"tag {question}",))
        add_case(builder, dataset_id=made.pk, draft=draft)
    made.refresh_from_db()
    return made


def elsewhere(act: Callable[[], Any]) -> None:
    """Do it on a connection of its own, and wait for its end."""

    def run() -> None:
        try:
            act()
        finally:
            connections.close_all()

    thread = Thread(target=run)
    thread.start()
    thread.join()


def ids(cast: Cast, dataset: Dataset) -> list[UUID]:
    return [case.id for case in cases_in_order(cast.actor("builder"), dataset, 3)]


def change_everything(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    first, second, third = ids(cast, dataset)
    edit_case(builder, dataset_id=dataset.pk, case_id=first, changes={"input": "A", "tags": ("new",)})
    delete_cases(builder, dataset_id=dataset.pk, case_ids=[second])
    draft = CaseDraft("d", reference_answer="x", tags=("tag d",))
    add_case(builder, dataset_id=dataset.pk, draft=draft)
    edit_case(builder, dataset_id=dataset.pk, case_id=third, changes={"input": "C"})
    restore_version(builder, dataset_id=dataset.pk, number=1)


def page_of(cast: Cast, dataset: Dataset, wanted: CaseFilter, columns: list[str]) -> list[str]:
    number = dataset.newest_version
    total = cases_of_version(dataset, number)
    rows = rows_of_version(cast.actor("builder"), dataset, number, wanted, columns, total=total)
    return [case.content.input for case in rows[:50]]


READS: dict[str, Callable[[Cast, Dataset], Any]] = {
    "in order": lambda cast, dataset: [
        (case.id, case.revision, case.content) for case in cases_in_order(cast.actor("builder"), dataset, 3)
    ],
    "page": lambda cast, dataset: page_of(cast, dataset, CaseFilter(), ["-position"]),
    "page by question": lambda cast, dataset: page_of(cast, dataset, CaseFilter(), ["search_text", "position"]),
    "search": lambda cast, dataset: page_of(cast, dataset, CaseFilter(search="a"), ["position"]),
    "tags": lambda _cast, dataset: tags_of(dataset, 3),
    "each case": lambda cast, dataset: [
        find_case(cast.actor("builder"), dataset, 3, case_id).content for case_id in ids(cast, dataset)
    ],
    "last with the case": lambda cast, dataset: [
        newest_version_with(dataset, case_id) for case_id in ids(cast, dataset)
    ],
    "what changed": lambda _cast, dataset: [
        (case.kind, case.position) for case in changes_between(dataset, 1, 3).cases
    ],
}


@pytest.mark.spec("DS-55", "DS-57", "DS-58")
@pytest.mark.parametrize("name", READS)
def test_what_others_write_after_the_dataset_was_read_is_not_seen(cast: Cast, dataset: Dataset, name: str) -> None:
    before = READS[name](cast, dataset)
    assert before
    elsewhere(lambda: change_everything(cast, dataset))
    assert dataset.newest_version == 3  # as it was read before those changes
    assert READS[name](cast, dataset) == before


@pytest.mark.spec("DS-55", "DS-57")
def test_pages_read_while_somebody_writes_hold_one_version_each(cast: Cast, dataset: Dataset) -> None:
    builder, stop, seen = cast.actor("builder"), Event(), {}

    def write() -> None:
        for number in range(25):
            first = ids(cast, dataset)[0]
            edit_case(builder, dataset_id=dataset.pk, case_id=first, changes={"input": f"a{number}"})
            made = add_case(builder, dataset_id=dataset.pk, draft=CaseDraft(f"n{number}", reference_answer="x"))
            if number % 2:
                delete_cases(builder, dataset_id=dataset.pk, case_ids=[made.revision.case_id])

    def read() -> None:
        while not stop.is_set():
            there = Dataset.objects.get(pk=dataset.pk)
            seen[there.newest_version] = page_of(cast, there, CaseFilter(), ["position"])
        connections.close_all()

    reader = Thread(target=read)
    reader.start()
    try:
        elsewhere(write)
    finally:
        stop.set()
        reader.join()
    assert len(seen) > 3
    for number, questions in seen.items():
        assert questions == [case.content.input for case in cases_in_order(builder, dataset, number)][:50], number


def test_a_dataset_without_a_version_has_no_cases(cast: Cast) -> None:
    empty = create_dataset(cast.actor("builder"), name="Empty")
    assert list(cases_in_order(cast.actor("builder"), empty, 0)) == []
    assert page_of(cast, empty, CaseFilter(), ["position"]) == []
    assert page_of(cast, empty, CaseFilter(search="a"), ["position"]) == []


@pytest.mark.parametrize("filtered", [False, True])
def test_reading_a_version_searches_the_forks_and_reads_no_other_history(dataset: Dataset, filtered: bool) -> None:
    """SQLite as it is set up, without statistics; PostgreSQL keeps them by itself and is measured in the benchmarks."""
    if connection.vendor != "sqlite":
        pytest.skip("the words of the plan are SQLite's")
    rows = CaseRevision.objects.at(dataset, 3)
    rows = rows.filter(search_text__contains="a", source="manual") if filtered else rows.order_by("-position")
    searches = [line for line in rows.explain().splitlines() if "SEARCH" in line or "SCAN" in line]
    assert len(searches) == 3
    assert all("dataset_id=? AND fork=? AND" in line for line in searches), searches
