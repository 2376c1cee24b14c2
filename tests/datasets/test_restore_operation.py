"""Going back to an older version: what it stores, what it keeps, when it is refused (DS-D16)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from accounts.models import AuditEntry, Person
from core.errors import Conflict, NotAllowed, NotFound
from datasets.logic.drafts import CaseDraft
from datasets.models import Authorship, CaseRevision, Dataset, DatasetVersion, RevisionUsage, VersionKind
from datasets.operations import versions
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.operations.restores import preview_restore, restore_version
from datasets.queries.cases import cases_in_order
from tests.cast import Cast

Add = Callable[..., Any]


@pytest.fixture
def ids(cast: Cast, dataset: Dataset, add: Add) -> list[UUID]:
    """Three cases a, b, c by version 3; then a is edited (4), b deleted (5), d added (6). The ids of a, b, c, d."""
    builder = cast.actor("builder")
    made = [add(question, reference_answer="x", tags=("t",)).revision.case_id for question in "abc"]
    edit_case(builder, dataset_id=dataset.pk, case_id=made[0], changes={"input": "A", "note": "n"})
    delete_cases(builder, dataset_id=dataset.pk, case_ids=[made[1]])
    return [*made, add("d").revision.case_id]


def held(cast: Cast, dataset: Dataset, number: int) -> list[tuple[UUID, int, CaseDraft]]:
    rows = cases_in_order(cast.actor("viewer"), dataset, number)
    return [(case.id, case.position, case.content) for case in rows]


@pytest.mark.spec("DS-D16", "DS-D4", "DS-D5")
def test_a_new_version_holds_what_the_older_one_held_with_ids_and_places(
    cast: Cast, dataset: Dataset, ids: list[UUID]
) -> None:
    before = [held(cast, dataset, number) for number in range(1, 7)]
    done = restore_version(cast.actor("builder"), dataset_id=dataset.pk, number=3)
    version = done.version
    assert (done.changed, version.number, version.kind, version.restored_from) == (True, 7, VersionKind.RESTORED, 3)
    assert (version.added, version.edited, version.removed, version.case_count) == (1, 1, 1, 3)
    assert version.author == cast.builder
    dataset.refresh_from_db()
    assert (dataset.newest_version, dataset.case_count) == (7, 3)
    assert held(cast, dataset, 7) == held(cast, dataset, 3)
    assert [case_id for case_id, _position, _content in held(cast, dataset, 7)] == ids[:3]
    assert [held(cast, dataset, number) for number in range(1, 7)] == before


@pytest.mark.spec("DS-D16", "DS-66", "DS-67", "DS-68", "DS-69")
def test_each_case_that_differs_stores_one_revision_and_the_others_none(
    cast: Cast, dataset: Dataset, ids: list[UUID]
) -> None:
    stored = CaseRevision.objects.count()
    done = restore_version(cast.actor("builder"), dataset_id=dataset.pk, number=3)
    assert CaseRevision.objects.count() == stored + done.version.revisions_stored == stored + 2
    assert RevisionUsage.objects.get().revisions == stored + 2
    assert CaseRevision.objects.get(case_id=ids[2]).since == 3


@pytest.mark.spec("DS-D16", "DS-D13")
def test_a_version_equal_to_the_newest_makes_none(cast: Cast, dataset: Dataset, ids: list[UUID]) -> None:
    builder = cast.actor("builder")
    restore_version(builder, dataset_id=dataset.pk, number=3)
    for number in (7, 3):
        done = restore_version(builder, dataset_id=dataset.pk, number=number)
        assert (done.changed, done.version.number) == (False, 7)
    assert DatasetVersion.objects.count() == 7
    assert AuditEntry.objects.filter(action="dataset.restored").count() == 1


@pytest.mark.spec("DS-D16")
def test_a_case_can_go_and_come_back_again_and_again(cast: Cast, dataset: Dataset, ids: list[UUID]) -> None:
    builder = cast.actor("builder")
    for number in (3, 6, 3, 6, 1):
        done = restore_version(builder, dataset_id=dataset.pk, number=number)
        dataset.refresh_from_db()
        assert held(cast, dataset, done.version.number) == held(cast, dataset, number)
    assert DatasetVersion.objects.count() == 11


@pytest.mark.spec("DS-D16", "PL-8")
def test_a_restore_is_audited_with_its_numbers(cast: Cast, dataset: Dataset, ids: list[UUID]) -> None:
    restore_version(cast.actor("builder"), dataset_id=dataset.pk, number=3)
    entry = AuditEntry.objects.get(action="dataset.restored")
    assert entry.details == {"version": 7, "restored_from": 3, "added": 1, "edited": 1, "removed": 1}


@pytest.mark.spec("DS-D16", "ACC-50", "ACC-D29")
def test_text_that_was_erased_stays_erased_with_its_marks_and_authors(
    cast: Cast, dataset: Dataset, ids: list[UUID]
) -> None:
    now = timezone.now()
    person = Person.objects.create(organisation=cast.kettle, external_id="customer-7")
    old = CaseRevision.objects.get(case_id=ids[1])
    erased = {"input": "[erased]", "anonymised_at": now, "text_removed_at": now, "conversation_text": True}
    CaseRevision.objects.filter(pk=old.pk).update(**erased)
    Authorship.objects.create(revision=old, field="question", person=person)
    restore_version(cast.actor("builder"), dataset_id=dataset.pk, number=3)
    new = CaseRevision.objects.get(case_id=ids[1], until=None)
    assert {name: getattr(new, name) for name in erased} == erased
    assert Authorship.objects.get(revision=new).person == person


@pytest.mark.spec("DS-D16", "DS-72")
def test_a_restore_beyond_the_limit_of_revisions_is_refused_and_one_that_only_removes_is_not(
    cast: Cast, dataset: Dataset, ids: list[UUID], settings: Any
) -> None:
    builder = cast.actor("builder")
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 6
    with pytest.raises(Conflict) as refused:
        restore_version(builder, dataset_id=dataset.pk, number=3)
    assert (refused.value.code, refused.value.data["stored"]) == ("version_rows_limit", 5)
    assert CaseRevision.objects.filter(until=None).count() == 3
    assert restore_version(builder, dataset_id=dataset.pk, number=5).version.removed == 1
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 7
    assert restore_version(builder, dataset_id=dataset.pk, number=3).version.number == 8


@pytest.mark.spec("DS-D16", "DS-75")
def test_a_restore_beyond_the_limit_of_cases_is_refused(
    cast: Cast, dataset: Dataset, ids: list[UUID], monkeypatch: pytest.MonkeyPatch
) -> None:
    builder = cast.actor("builder")
    delete_cases(builder, dataset_id=dataset.pk, case_ids=[ids[3]])
    monkeypatch.setattr(versions, "LIMITS", type("L", (), {"cases": 2})())
    with pytest.raises(Conflict) as refused:
        restore_version(builder, dataset_id=dataset.pk, number=4)
    assert refused.value.code == "case_limit"


def test_a_restore_decided_on_an_older_state_is_refused(cast: Cast, dataset: Dataset, ids: list[UUID]) -> None:
    builder = cast.actor("builder")
    with pytest.raises(Conflict) as refused:
        restore_version(builder, dataset_id=dataset.pk, number=3, base_version=5)
    assert (refused.value.code, refused.value.data) == ("version_changed", {"newest": 6})
    assert restore_version(builder, dataset_id=dataset.pk, number=3, base_version=6).changed


@pytest.mark.parametrize("number", [0, 7])
def test_a_version_that_is_not_there_is_not_found(cast: Cast, dataset: Dataset, ids: list[UUID], number: int) -> None:
    for act in (restore_version, preview_restore):
        with pytest.raises(NotFound):
            act(cast.actor("builder"), dataset_id=dataset.pk, number=number)


@pytest.mark.spec("ACC-22", "ACC-D9")
def test_who_may_not_edit_restores_nothing(cast: Cast, dataset: Dataset, ids: list[UUID]) -> None:
    for name, error in (("viewer", NotAllowed), ("member", NotAllowed), ("stranger", NotFound)):
        for act in (restore_version, preview_restore):
            with pytest.raises(error):
                act(cast.actor(name), dataset_id=dataset.pk, number=3)
    assert DatasetVersion.objects.count() == 6


@pytest.mark.spec("DS-D16")
def test_the_preview_says_in_numbers_what_the_restore_then_does(cast: Cast, dataset: Dataset, ids: list[UUID]) -> None:
    builder = cast.actor("builder")
    for number in (1, 3, 4, 6):
        seen = preview_restore(builder, dataset_id=dataset.pk, number=number)
        done = restore_version(builder, dataset_id=dataset.pk, number=number)
        assert done.changed is seen.changes_something
        if done.changed:
            made = done.version
            assert (made.added, made.edited, made.removed) == (seen.added, seen.edited, seen.removed)
            assert (made.number, made.revisions_stored) == (seen.next_version, seen.revisions_stored)


def test_a_restore_of_many_cases_takes_few_statements(
    cast: Cast, dataset: Dataset, django_assert_max_num_queries: Any
) -> None:
    builder = cast.actor("builder")
    made = [
        add_case(builder, dataset_id=dataset.pk, draft=CaseDraft(f"q{number}", reference_answer="a")).revision.case_id
        for number in range(40)
    ]
    delete_cases(builder, dataset_id=dataset.pk, case_ids=made)
    with django_assert_max_num_queries(20):
        assert restore_version(builder, dataset_id=dataset.pk, number=40).version.added == 40
