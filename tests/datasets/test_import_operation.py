"""Importing a file: all of it as one version or nothing, whatever goes wrong (DS-121 to DS-124, BC-5, BC-8, BC-17)."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

from accounts.models import AuditEntry, IdempotentRequest
from core.errors import Conflict, Invalid, NotAllowed, NotFound, TooLarge
from core.limits import LIMITS
from datasets.logic.drafts import CaseDraft
from datasets.models import Case, CaseRevision, Dataset, DatasetVersion, RevisionUsage
from datasets.operations import imports, versions
from datasets.operations.cases import delete_cases
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


@pytest.mark.spec("DS-136")
def test_a_file_whose_cases_are_all_there_word_for_word_makes_no_version(cast: Cast, dataset: Dataset) -> None:
    """BC-13 (i), BC-17: the same file twice changes nothing the second time."""
    run(cast, dataset, GOOD + b"a,1\n")
    again = run(cast, dataset)
    assert (again.version.number, again.added, again.identical, again.twins, again.hidden) == (1, 0, 3, 0, 0)
    assert run(cast, dataset, GOOD, skip_existing=True).added == 0
    assert CaseRevision.objects.count() == 4
    assert AuditEntry.objects.filter(action="dataset.imported").count() == 1


@pytest.mark.spec("DS-122", "DS-D34")
def test_of_a_file_with_one_cell_changed_all_cases_are_added_or_only_that_one(cast: Cast, dataset: Dataset) -> None:
    """BC-13: once more after editing one cell."""
    run(cast, dataset)
    edited = GOOD.replace(b"b,2", b"b,two")
    preview = preview_import(cast.actor("builder"), dataset_id=dataset.pk, name="a.csv", data=edited)
    assert (preview.identical, preview.differing, [draft.input for draft in preview.twins]) == (2, 1, ["b"])
    only = run(cast, dataset, edited, skip_existing=True)
    assert (only.version.number, only.added, only.identical, only.twins) == (2, 1, 2, 1)
    assert (only.version.added, only.version.edited, only.version.removed, only.version.case_count) == (1, 0, 0, 4)
    everything = run(cast, dataset, edited + b"d,4\n")
    assert (everything.added, everything.identical, everything.twins) == (4, 3, 3)


@pytest.mark.parametrize(
    "changed",
    ["note", "tags", "checks", "expected_tool_calls", "order_mode", "history", "counter_example", "reference_answer"],
)
def test_one_field_that_differs_makes_another_case(cast: Cast, dataset: Dataset, changed: str) -> None:
    """BC-13: word for word means every one of the nine fields, the text of numbers and the order of lists too."""
    fields = {
        "input": "q",
        "reference_answer": "a",
        "counter_example": "b",
        "note": "n",
        "tags": ["x", "y"],
        "order_mode": "exact",
        "history": [{"role": "user", "content": "h"}],
        "checks": [{"type": "max_cost_usd", "value": 1}],
        "expected_tool_calls": [{"tool": "t", "args": {"n": 1}}],
    }
    other = {
        "tags": ["y", "x"],
        "order_mode": "any",
        "checks": [{"type": "max_cost_usd", "value": 2}],
        "expected_tool_calls": [{"tool": "t", "args": {"n": 1.0}}],
        "history": [{"role": "assistant", "content": "h"}],
    }.get(changed, "other")
    run(cast, dataset, json.dumps(fields).encode(), "a.jsonl")
    assert run(cast, dataset, json.dumps(dict(reversed(fields.items()))).encode(), "a.jsonl").added == 0
    assert run(cast, dataset, json.dumps({**fields, changed: other}).encode(), "a.jsonl").added == 1


def test_of_two_equal_cases_beside_one_that_is_there_the_second_is_new(cast: Cast, dataset: Dataset) -> None:
    """BC-17: cases are counted, never merged."""
    run(cast, dataset)
    twice = run(cast, dataset, GOOD + b"a,1\n", skip_existing=True)
    assert (twice.added, twice.identical, twice.version.case_count) == (1, 3, 4)


def test_what_an_older_version_held_is_no_longer_there(cast: Cast, dataset: Dataset) -> None:
    """BC-13: a file is compared with the newest version alone."""
    run(cast, dataset)
    ids = [case.id for case in cases_in_order(cast.actor("builder"), dataset, 1)]
    delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=ids[:1])
    again = run(cast, dataset, skip_existing=True)
    assert (again.added, again.identical, again.version.number) == (1, 2, 3)


@pytest.mark.spec("DS-75")
def test_the_export_of_a_full_dataset_changes_nothing_and_one_case_more_is_refused(
    cast: Cast, dataset: Dataset, few_cases: None
) -> None:
    """BC-13: the limit of cases is asked only of what would be added."""
    full = b"input,reference_answer\n" + b"".join(b"q%d,a\n" % number for number in range(10))
    run(cast, dataset, full)
    again = run(cast, dataset, full)
    assert (again.added, again.identical, again.version.number) == (0, 10, 1)
    with pytest.raises(Conflict) as refused:
        run(cast, dataset, full.replace(b"q7,a", b"q7,b"), skip_existing=True)
    assert (refused.value.data["adding"], refused.value.data["room"]) == (1, 0)


@pytest.mark.spec("DS-D46")
def test_a_form_sent_twice_says_the_same_twice(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    run(cast, dataset, b"input,reference_answer\na,1\n")
    sent = {"dataset_id": dataset.pk, "name": "a.csv", "data": GOOD, "key": "one", "skip_existing": True}
    first, second = import_file_once(builder, **sent), import_file_once(builder, **sent)
    assert first == second
    assert (first.added, first.identical) == (2, 1)


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


@pytest.fixture
def few_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """A dataset holds ten cases; test_field_cases.py brings a file with one more than really fits."""
    for module in (imports, versions):
        monkeypatch.setattr(module, "LIMITS", replace(LIMITS, cases=10))


@pytest.mark.spec("DS-75", "DS-D45")
def test_a_file_with_more_cases_than_fit_says_how_many_do(cast: Cast, dataset: Dataset, few_cases: None) -> None:
    run(cast, dataset)
    for rows in (11, 8):
        with pytest.raises(Conflict) as refused:
            run(cast, dataset, b"input,reference_answer\n" + b"q,a\n" * rows)
        assert (refused.value.code, refused.value.data) == ("case_limit", {"limit": 10, "adding": rows, "room": 7})
    assert CaseRevision.objects.count() == 3
    assert run(cast, dataset, b"input,reference_answer\n" + b"q,a\n" * 7).version.case_count == 10


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
    run(cast, dataset, b"input,reference_answer\nd,4\n")
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
    other = {**sent, "data": GOOD + b"d,4\n", "key": "two"}
    assert import_file_once(builder, **other).version.number == 2


@pytest.mark.spec("DS-D46")
def test_a_key_whose_import_was_refused_is_free_again(cast: Cast, dataset: Dataset) -> None:
    builder = cast.actor("builder")
    with pytest.raises(Invalid):
        import_file_once(builder, dataset_id=dataset.pk, name="a.csv", data=b"", key="one")
    assert not IdempotentRequest.objects.exists()
    assert import_file_once(builder, dataset_id=dataset.pk, name="a.csv", data=GOOD, key="one").version.number == 1


def test_a_preview_says_what_would_be_added_and_stores_nothing(cast: Cast, dataset: Dataset) -> None:
    preview = preview_import(cast.actor("builder"), dataset_id=dataset.pk, name="a.csv", data=GOOD)
    assert (preview.cases[0].draft, preview.twins, preview.version) == (CaseDraft("a", reference_answer="1"), [], 1)
    assert (preview.identical, preview.differing, preview.hidden) == (0, 3, 0)
    assert nothing_is_stored()


@pytest.mark.spec("DS-D48")
@pytest.mark.parametrize("name", ["\u202e.csv", "a/../b.CSV", "ź ż.jsonl"])
def test_the_name_of_the_file_matters_only_for_its_ending(cast: Cast, dataset: Dataset, name: str) -> None:
    data = b'{"input":"q","reference_answer":"a"}' if name.endswith("jsonl") else GOOD
    assert run(cast, dataset, data, name).added
    assert not Path("b.CSV").exists()
