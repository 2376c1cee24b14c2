"""Loading the demonstration's datasets: every recorded version, by several people, and nothing twice (PL-50)."""

from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from accounts.models import AuditEntry
from datasets.logic.recordings import read_recordings
from datasets.models import Dataset, DatasetVersion
from datasets.operations.demonstration import FOLDER, load_demonstration
from tests.cast import Cast, make_cast

pytestmark = pytest.mark.django_db
RECORDINGS = read_recordings(FOLDER)


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Cast]:
    """Loaded once for this module, since it takes seconds; each test works inside and leaves it as it was."""
    with django_db_blocker.unblock(), transaction.atomic():
        cast = make_cast()
        load_demonstration(cast.actor("owner"))
        yield cast
        transaction.set_rollback(True)


def counts() -> tuple[int, int, int]:
    return Dataset.objects.count(), DatasetVersion.objects.count(), AuditEntry.objects.count()


@pytest.mark.spec("PL-50")
def test_each_recording_becomes_a_dataset_with_a_version_for_each_change(loaded: Cast) -> None:
    made = {dataset.name: dataset for dataset in Dataset.objects.exclude(name="API errors")}
    assert set(made) == {recording.name for recording in RECORDINGS}
    for recording in RECORDINGS:
        dataset = made[recording.name]
        assert dataset.newest_version == 1 + len(recording.changes)
        assert dataset.visibility == recording.visibility
        assert dataset.owner == loaded.owner


@pytest.mark.spec("PL-50")
def test_the_versions_of_a_shared_dataset_are_by_several_people(loaded: Cast) -> None:
    versions = DatasetVersion.objects.filter(dataset__name="Kettle support")
    assert versions.get(number=1).author == loaded.owner
    assert versions.values("author").distinct().count() > 2


@pytest.mark.spec("PL-50")
def test_a_second_time_changes_nothing(loaded: Cast) -> None:
    before = counts()
    load_demonstration(loaded.actor("owner"))
    assert counts() == before


@pytest.mark.spec("PL-50")
def test_only_the_dataset_that_is_missing_is_made(loaded: Cast) -> None:
    before = counts()[0]
    Dataset.objects.filter(name="IT helper").update(name="Renamed", name_folded="renamed")
    load_demonstration(loaded.actor("owner"))
    assert counts()[0] == before + 1
