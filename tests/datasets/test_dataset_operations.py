"""Creating, changing and deleting datasets: one test an exit."""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import AuditEntry
from core.errors import Invalid, NotAllowed, NotFound
from datasets.models import Case, CaseRevision, Dataset, DatasetVersion, RevisionUsage
from datasets.operations.datasets import change_details, create_dataset, delete_dataset
from tests.cast import Cast


def actions() -> list[str]:
    return list(AuditEntry.objects.order_by("pk").values_list("action", flat=True))


@pytest.mark.spec("ACC-2", "DS-D7", "DS-D10")
def test_a_new_dataset_belongs_to_its_creator_and_has_no_version(cast: Cast) -> None:
    dataset = create_dataset(cast.actor("member"), name="  Łódź  ", description="d")
    assert (dataset.name, dataset.owner, dataset.visibility) == ("Łódź", cast.member, "organisation")
    assert (dataset.newest_version, dataset.case_count) == (0, 0)
    assert actions() == ["dataset.created"]


@pytest.mark.spec("ACC-2")
def test_it_may_start_as_private(cast: Cast) -> None:
    assert create_dataset(cast.actor("owner"), name="x", visibility="private").visibility == "private"


@pytest.mark.spec("ACC-D3")
@pytest.mark.parametrize("role", ["operator", "viewer"])
def test_who_may_edit_nothing_creates_nothing(cast: Cast, role: str) -> None:
    with pytest.raises(NotAllowed):
        create_dataset(cast.actor(role), name="x")
    assert not Dataset.objects.exists()


@pytest.mark.spec("DS-D10")
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", " "),
        ("name", "x" * 121),
        ("name", "a\x00"),
        ("description", "x" * 2001),
        ("description", "\ud800"),
        ("visibility", "public"),
    ],
)
def test_what_breaks_a_rule_is_named(cast: Cast, field: str, value: str) -> None:
    with pytest.raises(Invalid) as refused:
        create_dataset(cast.actor("owner"), **{"name": "x", field: value})
    assert [problem.field for problem in refused.value.problems] == [field]
    assert not Dataset.objects.exists()


@pytest.mark.spec("DS-61", "DS-64", "ACC-3")
def test_changing_details_makes_no_version(cast: Cast, dataset: Dataset) -> None:
    changed = change_details(
        cast.actor("builder"), dataset_id=dataset.pk, name=" New ", description="d", visibility="private"
    )
    dataset.refresh_from_db()
    assert (dataset.name, dataset.description, dataset.visibility) == ("New", "d", "private")
    assert changed.visibility == "private"
    assert dataset.newest_version == 0
    assert actions()[1:] == ["dataset.visibility_changed", "dataset.changed"]
    assert AuditEntry.objects.get(action="dataset.changed").details == {"fields": ["description", "name"]}


def test_changing_nothing_leaves_no_trace(cast: Cast, dataset: Dataset) -> None:
    change_details(cast.actor("builder"), dataset_id=dataset.pk, name="Returns", visibility="organisation")
    assert actions() == ["dataset.created"]


def test_a_wrong_detail_changes_nothing(cast: Cast, dataset: Dataset) -> None:
    with pytest.raises(Invalid):
        change_details(cast.actor("builder"), dataset_id=dataset.pk, name="New", visibility="x")
    dataset.refresh_from_db()
    assert dataset.name == "Returns"


@pytest.mark.parametrize("operation", [change_details, delete_dataset])
def test_who_may_only_view_may_not_change_and_strangers_find_nothing(
    cast: Cast, dataset: Dataset, private: Dataset, operation: Callable[..., Any]
) -> None:
    with pytest.raises(NotAllowed):
        operation(cast.actor("viewer"), dataset_id=dataset.pk)
    for name, target in (("viewer", private), ("stranger", dataset), ("both_elsewhere", dataset)):
        with pytest.raises(NotFound):
            operation(cast.actor(name), dataset_id=target.pk)


@pytest.mark.spec("DS-74", "DS-D17")
def test_deleting_takes_everything_and_frees_its_revisions(
    cast: Cast, dataset: Dataset, add: Callable[..., Any]
) -> None:
    other = create_dataset(cast.actor("builder"), name="Other")
    add("a")
    add("b")
    assert RevisionUsage.objects.get().revisions == 2
    delete_dataset(cast.actor("builder"), dataset_id=dataset.pk)
    assert RevisionUsage.objects.get().revisions == 0
    for model in (Case, CaseRevision, DatasetVersion):
        assert not model.objects.exists()
    assert list(Dataset.objects.all()) == [other]
    entry = AuditEntry.objects.get(action="dataset.deleted")
    assert entry.object_label == "Returns"
    assert entry.details == {"versions": 2, "cases": 2, "revisions": 2}
