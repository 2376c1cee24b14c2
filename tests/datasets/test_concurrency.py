"""Several writers at once: no number twice or left out, no edit lost, no limit passed (DS-D11, DS-D12, BC-16)."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import pytest
from django.db import connections

from core.errors import Conflict, DomainError
from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset, DatasetVersion, RevisionUsage
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.imports import import_file, import_file_once
from tests.cast import Cast

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS = 8


def at_once(acts: Iterable[Callable[[], Any]]) -> list[Any]:
    """Run the acts side by side, each on its own connection; what each gave or the domain error it raised."""

    def one(act: Callable[[], Any]) -> Any:
        try:
            return act()
        except DomainError as error:
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WRITERS) as pool:
        return list(pool.map(one, acts))


def draft(text: str) -> CaseDraft:
    return CaseDraft(text, reference_answer="a")


@pytest.mark.spec("DS-D12", "DS-54")
def test_version_numbers_have_no_gaps_and_every_case_is_there(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    acts = [
        lambda number=number: add_case(builder, dataset_id=dataset.pk, draft=draft(f"q{number}")).version
        for number in range(24)
    ]
    assert sorted(at_once(acts)) == list(range(1, 25))
    dataset.refresh_from_db()
    assert (dataset.newest_version, dataset.case_count) == (24, 24)
    assert sorted(DatasetVersion.objects.values_list("number", flat=True)) == list(range(1, 25))
    positions = list(CaseRevision.objects.values_list("position", flat=True))
    assert sorted(positions) == list(range(1, 25))


@pytest.mark.spec("DS-D11")
def test_of_edits_that_began_from_the_same_text_one_is_kept_and_the_others_are_told(
    cast: Cast, dataset: Dataset
) -> None:
    builder = cast.actor("builder")
    case_id = add_case(builder, dataset_id=dataset.pk, draft=draft("q")).revision.case_id
    acts = [
        lambda number=number: edit_case(
            builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": f"n{number}"}, base_revision=1
        )
        for number in range(WRITERS)
    ]
    outcomes = at_once(acts)
    refused = [one for one in outcomes if isinstance(one, Conflict)]
    assert [one.code for one in refused] == ["case_changed"] * (WRITERS - 1)
    assert DatasetVersion.objects.count() == 2
    assert CaseRevision.objects.filter(case_id=case_id, until=None).count() == 1


@pytest.mark.spec("DS-D11")
def test_edits_and_a_deletion_side_by_side_leave_one_history(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    case_id = add_case(builder, dataset_id=dataset.pk, draft=draft("q")).revision.case_id
    acts: list[Callable[[], Any]] = [
        lambda number=number: edit_case(  # type: ignore[misc]
            builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": f"n{number}"}
        )
        for number in range(6)
    ]
    acts.insert(3, lambda: delete_cases(builder, dataset_id=dataset.pk, case_ids=[case_id]))
    outcomes = at_once(acts)
    assert {one.code for one in outcomes if isinstance(one, Conflict)} <= {"case_deleted"}
    made = [one for one in outcomes if not isinstance(one, Conflict)]
    dataset.refresh_from_db()
    assert dataset.newest_version == len(made) + 1
    intervals = list(CaseRevision.objects.order_by("since").values_list("since", "until"))
    assert all(before[1] == after[0] for before, after in pairwise(intervals))


@pytest.mark.spec("DS-70", "DS-D12")
def test_two_imports_into_two_datasets_cannot_both_pass_the_limit(cast: Cast, dataset: Dataset, settings: Any) -> None:
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 25
    builder = cast.actor("builder")
    others = [create_dataset(builder, name=f"d{number}") for number in range(5)]
    data = b"input,reference_answer\n" + b"q,a\n" * 10
    acts = [
        lambda one=one: import_file(builder, dataset_id=one.pk, name="a.csv", data=data) for one in [dataset, *others]
    ]
    refused = [one.code for one in at_once(acts) if isinstance(one, Conflict)]
    assert refused == ["version_rows_limit"] * 4
    assert RevisionUsage.objects.get().revisions == CaseRevision.objects.count() == 20


@pytest.mark.spec("DS-D46", "PL-42")
def test_one_form_sent_many_times_at_once_imports_once(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    data = b"input,reference_answer\n" + b"q,a\n" * 10

    def send() -> int:
        return import_file_once(builder, dataset_id=dataset.pk, name="a.csv", data=data, key="k").version.number

    assert at_once([send] * WRITERS) == [1] * WRITERS
    assert CaseRevision.objects.count() == 10
