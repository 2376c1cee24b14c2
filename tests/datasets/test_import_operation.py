"""Importing a file: all of it as one version or nothing, whatever goes wrong (DS-121 to DS-124, BC-5, BC-8, BC-17)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from accounts.models import AuditEntry, IdempotentRequest
from core.errors import Conflict, Invalid, NotAllowed, NotFound, TooLarge
from core.limits import LIMITS
from datasets.logic.drafts import CaseDraft
from datasets.models import Case, CaseRevision, Dataset, DatasetVersion, RevisionUsage
from datasets.operations import imports
from datasets.operations.imports import import_file, import_file_once, preview_import
from datasets.queries.cases import cases_in_order
from tests.cast import Cast

GOOD = b"input,reference_answer\na,1\nb,2\nc,3\n"


def run(cast: Cast, dataset: Dataset, data: bytes = GOOD, name: str = "cases.csv", **more: Any) -> Any:
    return import_file(cast.actor("builder"), dataset_id=dataset.pk, name=name, data=data, **more)


def nothing_is_stored() -> bool:
    models = (Case, CaseRevision, DatasetVersion)
    usage = RevisionUsage.objects.first()
    return not any(model.objects.exists() for model in models) and (usage is None or usage.revisions == 0)


@pytest.mark.spec("DS-122", "DS-44", "DS-D5")
def test_all_cases_become_one_version_in_the_order_of_the_file(cast: Cast, dataset: Dataset) -> None:
    result = run(cast, dataset)
    assert (result.version.number, result.version.kind, result.added, result.version.case_count) == (
        1,
        "imported",
        3,
        3,
    )
    dataset.refresh_from_db()
    cases = list(cases_in_order(cast.actor("builder"), dataset, 1))
    assert [case.content.input for case in cases] == ["a", "b", "c"]
    assert {case.source for case in cases} == {"import"}
    details = AuditEntry.objects.get(action="dataset.imported").details
    assert details == {"version": 1, "added": 3, "credentials_hidden": 0}


@pytest.mark.spec("DS-D34", "DS-D33")
def test_a_second_import_adds_again_and_counts_the_twins(cast: Cast, dataset: Dataset) -> None:
    assert run(cast, dataset).twins == 0
    again = run(cast, dataset, b"input,reference_answer\n A,1\nnew,2\nNEW ,3\n")
    assert (again.version.number, again.version.case_count, again.twins) == (2, 6, 2)


@pytest.mark.spec("DS-123", "DS-124")
def test_one_bad_row_keeps_every_case_out(cast: Cast, dataset: Dataset) -> None:
    rows = "".join(f'{{"input":"q{number}","reference_answer":"a"}}\n' for number in range(1000))
    with pytest.raises(Invalid) as refused:
        run(cast, dataset, (rows + '["not","an","object"]\n').encode(), "cases.jsonl")
    assert [problem.row for problem in refused.value.problems] == [1001]
    assert "1 of 1001 rows" in str(refused.value)
    assert nothing_is_stored()


def test_a_failure_in_the_middle_of_storing_leaves_nothing(cast: Cast, dataset: Dataset) -> None:
    with (
        mock.patch.object(DatasetVersion.objects, "create", side_effect=OSError("the connection is gone")),
        pytest.raises(OSError, match="gone"),
    ):
        run(cast, dataset)
    assert nothing_is_stored()
    assert run(cast, dataset).version.number == 1


@pytest.mark.spec("DS-D36", "DS-76")
def test_a_file_may_be_exactly_ten_megabytes(cast: Cast, dataset: Dataset) -> None:
    head = b"input,reference_answer\nq,a\n"
    full = head + b"\n" * (LIMITS.import_bytes - len(head))
    assert run(cast, dataset, full).added == 1
    with pytest.raises(TooLarge):
        run(cast, dataset, full + b"\n")


@pytest.mark.spec("DS-75", "DS-D45")
def test_a_file_with_more_cases_than_fit_says_how_many_do(cast: Cast, dataset: Dataset) -> None:
    run(cast, dataset)
    with pytest.raises(Conflict) as refused:
        run(cast, dataset, b"input,reference_answer\n" + b"q,a\n" * 10_001)
    assert (refused.value.code, refused.value.data) == (
        "case_limit",
        {"limit": 10_000, "adding": 10_001, "room": 9_997},
    )
    with pytest.raises(Conflict):
        run(cast, dataset, b"input,reference_answer\n" + b"q,a\n" * 9_998)
    assert CaseRevision.objects.count() == 3


@pytest.mark.spec("DS-72")
def test_a_file_beyond_the_limit_of_revisions_is_refused_whole(cast: Cast, dataset: Dataset, settings: Any) -> None:
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 2
    with pytest.raises(Conflict) as refused:
        run(cast, dataset)
    assert refused.value.code == "version_rows_limit"
    assert nothing_is_stored()
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 3
    assert run(cast, dataset).added == 3


@pytest.mark.parametrize("operation", [import_file, preview_import])
def test_access_is_asked_before_the_file_is_read(cast: Cast, dataset: Dataset, operation: Callable[..., Any]) -> None:
    with mock.patch.object(imports, "read_import_file", side_effect=AssertionError("read")):
        for name, error in (("viewer", NotAllowed), ("stranger", NotFound)):
            with pytest.raises(error):
                operation(cast.actor(name), dataset_id=dataset.pk, name="a.csv", data=GOOD)


@pytest.mark.spec("DS-D15")
def test_importing_into_an_older_version_is_refused(cast: Cast, dataset: Dataset) -> None:
    run(cast, dataset)
    run(cast, dataset)
    with pytest.raises(Conflict) as refused:
        run(cast, dataset, seen_version=1)
    assert refused.value.code == "read_only_version"


@pytest.mark.spec("DS-D46")
def test_a_form_sent_twice_imports_once(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    sent = {"dataset_id": dataset.pk, "name": "a.csv", "data": GOOD, "key": "one"}
    assert import_file_once(builder, **sent).version.number == 1
    assert import_file_once(builder, **sent).version.number == 1
    assert Case.objects.count() == 3
    assert import_file_once(builder, **{**sent, "key": "two"}).version.number == 2


@pytest.mark.spec("DS-D46")
def test_a_key_whose_import_was_refused_is_free_again(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    with pytest.raises(Invalid):
        import_file_once(builder, dataset_id=dataset.pk, name="a.csv", data=b"", key="one")
    assert not IdempotentRequest.objects.exists()
    assert import_file_once(builder, dataset_id=dataset.pk, name="a.csv", data=GOOD, key="one").version.number == 1


def test_a_preview_says_what_would_be_added_and_stores_nothing(cast: Cast, dataset: Dataset) -> None:
    preview = preview_import(cast.actor("builder"), dataset_id=dataset.pk, name="a.csv", data=GOOD)
    assert (preview.drafts[0], preview.twins, preview.version) == (CaseDraft("a", reference_answer="1"), 0, 1)
    assert nothing_is_stored()


@pytest.mark.spec("DS-D48")
@pytest.mark.parametrize("name", ["\u202e.csv", "a/../b.CSV", "ź ż.jsonl"])
def test_the_name_of_the_file_matters_only_for_its_ending(cast: Cast, dataset: Dataset, name: str) -> None:
    data = b'{"input":"q","reference_answer":"a"}' if name.endswith("jsonl") else GOOD
    assert run(cast, dataset, data, name).added
    assert not Path("b.CSV").exists()
