"""Adding, editing and deleting cases, and the versions they make: one test an exit."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import AuditEntry
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from datasets.logic.drafts import CaseDraft
from datasets.models import CaseRevision, Dataset, DatasetVersion, RevisionUsage
from datasets.operations import versions
from datasets.operations.cases import add_case, delete_cases, edit_case
from datasets.queries.cases import cases_in_order, find_case
from tests.cast import Cast

Add = Callable[..., Any]


def questions(cast: Cast, dataset: Dataset, number: int) -> list[str]:
    dataset.refresh_from_db()
    return [case.content.input for case in cases_in_order(cast.actor("builder"), dataset, number)]


def numbers(dataset: Dataset) -> list[int]:
    return list(DatasetVersion.objects.filter(dataset=dataset).order_by("number").values_list("number", flat=True))


@pytest.mark.spec("DS-53", "DS-54", "DS-67", "DS-D5")
def test_each_addition_makes_one_version_and_one_revision(cast: Cast, dataset: Dataset, add: Add) -> None:
    first, second = add("a"), add("b")
    assert (first.version, second.version) == (1, 2)
    assert questions(cast, dataset, 1) == ["a"]
    assert questions(cast, dataset, 2) == ["a", "b"]
    assert CaseRevision.objects.count() == RevisionUsage.objects.get().revisions == 2
    dataset.refresh_from_db()
    assert (dataset.case_count, dataset.newest_version) == (2, 2)


@pytest.mark.spec("DS-56", "DS-55", "DS-68", "DS-D4", "DS-D26")
def test_an_edit_makes_a_version_and_leaves_older_ones_alone(cast: Cast, dataset: Dataset, add: Add) -> None:
    added = add("a")
    case_id = added.revision.case_id
    edited = edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes={"input": "A"})
    assert (edited.version, edited.changed, edited.revision.case_id) == (2, True, case_id)
    assert questions(cast, dataset, 1) == ["a"]
    assert questions(cast, dataset, 2) == ["A"]
    old, new = CaseRevision.objects.order_by("since")
    assert (old.since, old.until, new.since, new.until) == (1, 2, 2, None)
    assert (old.position, old.source) == (new.position, new.source)
    assert AuditEntry.objects.get(action="case.edited").details["fields"] == ["input"]


@pytest.mark.spec("DS-D13")
def test_an_edit_that_changes_nothing_makes_no_version(cast: Cast, dataset: Dataset, add: Add) -> None:
    added = add("a")
    saved = edit_case(
        cast.actor("builder"), dataset_id=dataset.pk, case_id=added.revision.case_id, changes={"input": "a"}
    )
    assert (saved.changed, saved.version) == (False, 1)
    assert numbers(dataset) == [1]
    assert not AuditEntry.objects.filter(action="case.edited").exists()


@pytest.mark.spec("DS-D11")
def test_an_edit_from_an_older_text_is_refused_and_without_a_base_it_applies(
    cast: Cast, dataset: Dataset, add: Add
) -> None:
    builder, case_id = cast.actor("builder"), add("a").revision.case_id
    edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": "theirs"}, base_revision=1)
    with pytest.raises(Conflict) as refused:
        edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": "mine"}, base_revision=1)
    assert (refused.value.code, refused.value.data["revision"]) == ("case_changed", 2)
    assert numbers(dataset) == [1, 2]
    assert edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": "mine"}).version == 3


@pytest.mark.spec("DS-D11")
def test_changes_of_other_cases_never_conflict(cast: Cast, dataset: Dataset, add: Add) -> None:
    builder, case_id = cast.actor("builder"), add("a").revision.case_id
    other = add("b").revision.case_id
    edit_case(builder, dataset_id=dataset.pk, case_id=other, changes={"note": "x"}, base_revision=2)
    assert (
        edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": "x"}, base_revision=1).version == 4
    )


@pytest.mark.spec("DS-D11")
def test_a_case_deleted_meanwhile_is_told_from_one_that_never_was(cast: Cast, dataset: Dataset, add: Add) -> None:
    builder, case_id = cast.actor("builder"), add("a").revision.case_id
    delete_cases(builder, dataset_id=dataset.pk, case_ids=[case_id])
    for act in (
        lambda: edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": "x"}),
        lambda: delete_cases(builder, dataset_id=dataset.pk, case_ids=[case_id]),
    ):
        with pytest.raises(Conflict) as refused:
            act()
        assert refused.value.code == "case_deleted"
    with pytest.raises(NotFound):
        edit_case(builder, dataset_id=dataset.pk, case_id=uuid4(), changes={"note": "x"})


@pytest.mark.spec("DS-46", "DS-47")
def test_an_edit_that_leaves_no_expectation_is_refused(cast: Cast, dataset: Dataset, add: Add) -> None:
    case_id = add("a").revision.case_id
    with pytest.raises(Invalid) as refused:
        edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes={"reference_answer": None})
    assert [problem.field for problem in refused.value.problems] == ["reference_answer"]
    assert numbers(dataset) == [1]


@pytest.mark.spec("DS-69", "DS-D14", "DS-D4")
def test_deleting_several_cases_is_one_version_and_stores_nothing(cast: Cast, dataset: Dataset, add: Add) -> None:
    ids = [add(question).revision.case_id for question in "abc"]
    version = delete_cases(
        cast.actor("builder"), dataset_id=dataset.pk, case_ids=ids[:2], base_revisions={ids[0]: 1, ids[1]: 2}
    )
    assert (version.number, version.removed, version.case_count) == (4, 2, 1)
    assert questions(cast, dataset, 4) == ["c"]
    assert questions(cast, dataset, 3) == ["a", "b", "c"]
    assert CaseRevision.objects.count() == RevisionUsage.objects.get().revisions == 3


@pytest.mark.spec("DS-D14", "DS-D5")
def test_the_last_case_can_go_and_its_place_is_not_used_again(cast: Cast, dataset: Dataset, add: Add) -> None:
    old = add("a").revision
    assert delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[old.case_id]).case_count == 0
    new = add("a").revision
    assert new.case_id != old.case_id
    assert new.position > old.position


def test_one_changed_case_keeps_all_from_being_deleted(cast: Cast, dataset: Dataset, add: Add) -> None:
    ids = [add(question).revision.case_id for question in "ab"]
    with pytest.raises(Conflict):
        delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=ids, base_revisions={ids[0]: 1, ids[1]: 1})
    assert questions(cast, dataset, 2) == ["a", "b"]
    with pytest.raises(Invalid):
        delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[])


@pytest.mark.spec("DS-60", "DS-D15")
def test_an_older_version_is_read_only(cast: Cast, dataset: Dataset, add: Add) -> None:
    case_id = add("a").revision.case_id
    add("b")
    builder = cast.actor("builder")
    for act in (
        lambda: add_case(builder, dataset_id=dataset.pk, draft=CaseDraft("x", reference_answer="y"), seen_version=1),
        lambda: edit_case(builder, dataset_id=dataset.pk, case_id=case_id, changes={"note": "x"}, seen_version=1),
        lambda: delete_cases(builder, dataset_id=dataset.pk, case_ids=[case_id], seen_version=1),
    ):
        with pytest.raises(Conflict) as refused:
            act()
        assert refused.value.code == "read_only_version"
    assert numbers(dataset) == [1, 2]


@pytest.mark.spec("ACC-22", "ACC-D9")
def test_who_may_not_edit_is_refused_and_strangers_find_nothing(cast: Cast, dataset: Dataset, add: Add) -> None:
    case_id = add("a").revision.case_id
    draft = CaseDraft("x", reference_answer="y")
    for name, error in (
        ("viewer", NotAllowed),
        ("operator", NotAllowed),
        ("member", NotAllowed),
        ("stranger", NotFound),
    ):
        actor = cast.actor(name)
        with pytest.raises(error):
            add_case(actor, dataset_id=dataset.pk, draft=draft)
        with pytest.raises(error):
            edit_case(actor, dataset_id=dataset.pk, case_id=case_id, changes={"note": "x"})
        with pytest.raises(error):
            delete_cases(actor, dataset_id=dataset.pk, case_ids=[case_id])
    assert numbers(dataset) == [1]


@pytest.mark.spec("DS-70", "DS-72", "DS-73", "DS-D19")
def test_at_the_limit_of_revisions_only_deleting_goes_on(cast: Cast, dataset: Dataset, add: Add, settings: Any) -> None:
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 2
    first = add("a").revision.case_id
    add("exactly the last")
    with pytest.raises(Conflict) as refused:
        add("one too many")
    assert (refused.value.code, refused.value.data) == ("version_rows_limit", {"stored": 2, "limit": 2})
    assert "2" in str(refused.value)
    with pytest.raises(Conflict):
        edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=first, changes={"note": "x"})
    assert delete_cases(cast.actor("builder"), dataset_id=dataset.pk, case_ids=[first]).number == 3


@pytest.mark.spec("DS-75", "DS-D19")
def test_at_the_limit_of_cases_editing_goes_on(
    cast: Cast, dataset: Dataset, add: Add, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(versions, "LIMITS", type("L", (), {"cases": 2})())
    first = add("a").revision.case_id
    add("b")
    with pytest.raises(Conflict) as refused:
        add("c")
    assert (refused.value.code, refused.value.data["room"]) == ("case_limit", 0)
    assert edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=first, changes={"note": "x"}).version == 3


@pytest.mark.spec("DS-57", "DS-66")
def test_every_version_of_a_long_history_reads_as_it_was(cast: Cast, dataset: Dataset, add: Add) -> None:
    builder = cast.actor("builder")
    expected: list[list[str]] = [[]]
    ids: dict[str, Any] = {}
    for step in range(40):
        now = list(expected[-1])
        if step % 5 == 4 and now:
            gone = now.pop(step % len(now))
            delete_cases(builder, dataset_id=dataset.pk, case_ids=[ids.pop(gone)])
        elif step % 3 == 2 and now:
            at = step % len(now)
            new = f"{now[at]}+"
            ids[new] = ids.pop(now[at])
            edit_case(builder, dataset_id=dataset.pk, case_id=ids[new], changes={"input": new})
            now[at] = new
        else:
            now.append(f"q{step}")
            ids[f"q{step}"] = add(f"q{step}").revision.case_id
        expected.append(now)
    for number in range(1, 41):
        assert questions(cast, dataset, number) == expected[number], number


def test_a_case_is_read_in_the_version_asked_for(cast: Cast, dataset: Dataset, add: Add) -> None:
    case_id = add("a").revision.case_id
    add("b")
    edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes={"input": "A"})
    dataset.refresh_from_db()
    actor = cast.actor("viewer")
    assert [find_case(actor, dataset, number, case_id).content.input for number in (1, 2, 3)] == ["a", "a", "A"]
    assert [find_case(actor, dataset, number, case_id).revision for number in (1, 2, 3)] == [1, 1, 3]
    with pytest.raises(NotFound):
        find_case(actor, dataset, 1, uuid4())


@pytest.mark.spec("DS-D13", "DS-D25")
@pytest.mark.parametrize(("before", "after", "differ"), [(1, True, True), (1, 1.0, True), (1e16, 10**16, False)])
def test_a_number_and_true_are_two_values(
    cast: Cast, dataset: Dataset, add: Add, before: object, after: object, differ: bool
) -> None:
    case_id = add("q", expected_tool_calls=({"tool": "t", "args": {"x": before}},)).revision.case_id
    changes = {"expected_tool_calls": ({"tool": "t", "args": {"x": after}},)}
    saved = edit_case(cast.actor("builder"), dataset_id=dataset.pk, case_id=case_id, changes=changes)
    assert saved.changed == differ
