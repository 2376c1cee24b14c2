"""Two versions compared: which cases differ, in what, and what a reader does not learn (DS-D16, ACC-D20)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.errors import NotFound
from datasets.logic.drafts import CaseDraft
from datasets.logic.texts import HIDDEN_TEXT
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.datasets import create_dataset
from datasets.operations.restores import restore_version
from datasets.queries.cases import cases_in_order
from datasets.queries.comparisons import compare_case, compare_versions
from datasets.queries.version_changes import ChangeKind, changes_between
from tests.cast import Cast

Add = Callable[..., Any]
ADDED, EDITED, REMOVED = ChangeKind


@pytest.fixture
def ids(cast: Cast, dataset: Dataset, add: Add) -> list[UUID]:
    """Four cases a to d by version 4; then a is edited (5), b deleted (6), c edited and edited back (7, 8)."""
    builder = cast.actor("builder")
    made = [add(question, reference_answer="x", tags=("t",)).revision.case_id for question in "abcd"]
    edit_case(builder, dataset_id=dataset.pk, case_id=made[0], changes={"input": "A", "tags": ("t", "u")})
    delete_cases(builder, dataset_id=dataset.pk, case_ids=[made[1]])
    for question in "Cc":
        edit_case(builder, dataset_id=dataset.pk, case_id=made[2], changes={"input": question})
    dataset.refresh_from_db()
    return made


def told(dataset: Dataset, first: int, second: int) -> tuple[list[tuple[ChangeKind, int]], int]:
    changes = changes_between(dataset, first, second)
    return [(case.kind, case.position) for case in changes.cases], changes.same


@pytest.mark.spec("DS-D16", "DS-55")
def test_a_comparison_names_each_case_that_differs_and_counts_the_others(dataset: Dataset, ids: list[UUID]) -> None:
    assert told(dataset, 2, 8) == ([(EDITED, 1), (REMOVED, 2), (ADDED, 3), (ADDED, 4)], 0)
    assert told(dataset, 4, 5) == ([(EDITED, 1)], 3)
    assert told(dataset, 5, 6) == ([(REMOVED, 2)], 3)
    assert told(dataset, 6, 7) == ([(EDITED, 3)], 2)


def test_a_case_whose_content_came_back_is_the_same(dataset: Dataset, ids: list[UUID]) -> None:
    assert told(dataset, 6, 8) == ([], 3)


def test_the_other_way_round_what_came_is_what_goes(dataset: Dataset, ids: list[UUID]) -> None:
    assert told(dataset, 8, 2) == ([(EDITED, 1), (ADDED, 2), (REMOVED, 3), (REMOVED, 4)], 0)


def test_before_the_first_change_there_was_nothing(dataset: Dataset, ids: list[UUID]) -> None:
    assert told(dataset, 0, 1) == ([(ADDED, 1)], 0)
    assert told(dataset, 3, 0) == ([(REMOVED, 1), (REMOVED, 2), (REMOVED, 3)], 0)
    assert told(dataset, 0, 0) == told(dataset, 0, 0) == ([], 0)


def test_a_version_differs_from_itself_in_nothing(dataset: Dataset, ids: list[UUID]) -> None:
    assert told(dataset, 5, 5) == ([], 4)


@pytest.mark.parametrize(("first", "second"), [(1, 9), (9, 1), (-1, 2)])
def test_a_number_that_the_dataset_does_not_have_is_not_found(
    dataset: Dataset, ids: list[UUID], first: int, second: int
) -> None:
    with pytest.raises(NotFound):
        changes_between(dataset, first, second)


def test_each_case_says_in_which_fields_it_differs(cast: Cast, dataset: Dataset, ids: list[UUID]) -> None:
    found = compare_versions(cast.actor("viewer"), dataset, 2, 8)
    cases = found.cases[0:10]
    assert [case.fields for case in cases] == [("input", "tags"), *[("input", "reference_answer", "tags")] * 3]
    first = cases[0]
    assert first.before is not None
    assert first.after is not None
    assert (first.before.content.input, first.before.version, first.after.content.input) == ("a", 2, "A")
    assert (cases[1].after, cases[2].before) == (None, None)
    only = compare_versions(cast.actor("viewer"), dataset, 2, 8, kind=REMOVED)
    assert [case.shown.id for case in only.cases[0:10]] == [ids[1]]
    assert only.cases.count() == 1
    assert only.changes.count(ADDED) == 2


def test_one_case_is_compared_by_itself(cast: Cast, dataset: Dataset, ids: list[UUID]) -> None:
    viewer = cast.actor("viewer")
    kinds = [compare_case(viewer, dataset, 2, 8, case_id).kind for case_id in ids]
    assert kinds == [EDITED, REMOVED, ADDED, ADDED]
    assert compare_case(viewer, dataset, 6, 8, ids[2]).fields == ()
    for number, case_id in ((2, uuid4()), (1, ids[3])):
        with pytest.raises(NotFound):
            compare_case(viewer, dataset, 1, number, case_id)


@pytest.mark.spec("ACC-25", "ACC-26", "ACC-27", "ACC-D20")
def test_of_hidden_text_a_reader_learns_that_it_differs_and_never_how(
    cast: Cast, dataset: Dataset, ids: list[UUID]
) -> None:
    CaseRevision.objects.filter(dataset=dataset).update(conversation_text=True)
    hidden = compare_versions(cast.actor("viewer"), dataset, 4, 7).cases[0:10]
    assert [(case.kind, case.fields, case.hidden_differs) for case in hidden] == [
        (EDITED, ("tags",), True),
        (REMOVED, ("input", "reference_answer", "tags"), False),
        (EDITED, (), True),
    ]
    texts = {seen.content.input for case in hidden for seen in (case.before, case.after) if seen}
    assert texts == {HIDDEN_TEXT}
    seen = compare_versions(cast.actor("builder"), dataset, 4, 7).cases[0:10]
    assert [(case.fields, case.hidden_differs) for case in seen][::2] == [
        (("input", "tags"), False),
        (("input",), False),
    ]


def test_a_page_of_a_comparison_takes_few_statements(
    cast: Cast, dataset: Dataset, ids: list[UUID], django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(4):
        assert len(compare_versions(cast.actor("viewer"), dataset, 2, 7).cases[0:50]) == 4


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(st.sampled_from(["add", "edit", "delete", "restore"]), st.integers(0, 30)), min_size=4, max_size=9
    )
)
def test_whatever_was_done_a_comparison_says_what_two_readings_differ_in(
    cast: Cast, acts: list[tuple[str, int]]
) -> None:
    builder = cast.actor("builder")
    dataset = create_dataset(builder, name="Any")
    for act, number in acts:
        dataset.refresh_from_db()
        there = [case.id for case in cases_in_order(builder, dataset, dataset.newest_version)]
        if act == "add" or (act != "restore" and not there):
            add_case(builder, dataset_id=dataset.pk, draft=CaseDraft(f"q{number}", reference_answer="a"))
        elif act == "edit":
            case_id = there[number % len(there)]
            edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": f"n{number % 3}"})
        elif act == "delete":
            delete_cases(builder, dataset_id=dataset.pk, case_ids=there[: number % len(there) + 1])
        elif dataset.newest_version:
            restore_version(builder, dataset_id=dataset.pk, number=number % dataset.newest_version + 1)
    dataset.refresh_from_db()
    newest = dataset.newest_version
    held = [{case.id: case.content for case in cases_in_order(builder, dataset, one)} for one in range(newest + 1)]
    for first in range(newest + 1):
        for second in {newest, max(0, first - 1)}:
            before, after = held[first], held[second]
            changes = changes_between(dataset, first, second)
            found = {(case.after or case.before).case_id: case.kind for case in changes.cases}  # type: ignore[union-attr]
            assert found == {
                case_id: REMOVED if case_id not in after else ADDED if case_id not in before else EDITED
                for case_id in before.keys() | after.keys()
                if before.get(case_id) != after.get(case_id)
            }
            assert changes.same == sum(after.get(case_id) == content for case_id, content in before.items())
