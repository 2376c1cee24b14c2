"""Which versions a dataset has."""

from django.db.models import QuerySet

from core.errors import NotFound
from datasets.models import Dataset, DatasetVersion


def versions_of(dataset: Dataset) -> QuerySet[DatasetVersion]:
    """Newest first, with their authors."""
    return DatasetVersion.objects.filter(dataset=dataset).select_related("author__user").order_by("-number")


def find_version(dataset: Dataset, number: int) -> DatasetVersion:
    """One version. Raises `NotFound` for a number the dataset does not have (DS-D8)."""
    version = versions_of(dataset).filter(number=number).first() if 0 < number <= dataset.newest_version else None
    if version is None:
        raise NotFound
    return version


def number_of_version(dataset: Dataset, wanted: int | None) -> int:
    """The wanted number, or the newest, which is 0 before the first change. Raises `NotFound` (DS-D7, DS-D8)."""
    if wanted is None:
        return dataset.newest_version
    if not 1 <= wanted <= dataset.newest_version:
        raise NotFound
    return wanted


def cases_of_version(dataset: Dataset, number: int) -> int:
    """How many cases a version holds; none before the first. No query for the newest. Raises `NotFound`."""
    if number == 0:
        return 0
    return dataset.case_count if number == dataset.newest_version else find_version(dataset, number).case_count
