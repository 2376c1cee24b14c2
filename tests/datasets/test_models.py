"""What the database itself holds together: each named constraint from both sides."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from datasets.models import Case, CaseRevision, Dataset, DatasetVersion, RevisionUsage

GOOD = {"since": 3, "source": "manual", "input": "q", "reference_answer": "a", "question_hash": "0" * 64}


@pytest.fixture
def store(dataset: Dataset) -> Callable[..., CaseRevision]:
    """Stores a revision of a case with some fields changed."""
    case = Case.objects.create(dataset=dataset, position=1)

    def stored(**fields: Any) -> CaseRevision:
        with transaction.atomic():
            return CaseRevision.objects.create(dataset=dataset, case=case, position=1, **{**GOOD, **fields})

    return stored


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("revision_begins_with_a_version", {"since": 1}, {"since": 0}),
        ("revision_ends_after_start", {"until": 4, "fork": 3}, {"until": 3, "fork": 3}),
        ("revision_is_found_by_its_fork", {"until": 5, "fork": 4}, {"until": 5}),
        ("revision_is_found_by_its_fork", {"until": 5, "fork": 4}, {"until": 5, "fork": 5}),
        ("revision_is_found_by_its_fork", {}, {"fork": 4}),
        ("revision_asks_something", {"input": " "}, {"input": ""}),
        (
            "revision_has_an_expectation",
            {"reference_answer": None, "counter_example": "no"},
            {"reference_answer": None},
        ),
        (
            "revision_has_an_expectation",
            {"reference_answer": None, "checks": [{"type": "judge", "criterion": "x"}]},
            {"reference_answer": None, "checks": [], "expected_tool_calls": []},
        ),
    ],
)
def test_a_revision_holds_together(
    store: Callable[..., CaseRevision], name: str, good: dict[str, Any], bad: dict[str, Any]
) -> None:
    with pytest.raises(IntegrityError, match=name):
        store(**bad)
    assert store(**good).pk


def test_a_case_has_one_open_revision_and_one_a_version(store: Callable[..., CaseRevision]) -> None:
    first = store()
    with pytest.raises(IntegrityError):
        store(since=4)
    CaseRevision.objects.filter(pk=first.pk).update(until=4, fork=3)
    with pytest.raises(IntegrityError):
        store(since=3, until=5, fork=4)
    assert store(since=4).pk


def test_a_place_belongs_to_one_case(dataset: Dataset) -> None:
    Case.objects.create(dataset=dataset, position=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Case.objects.create(dataset=dataset, position=1)
    assert Case.objects.create(dataset=dataset, position=2).pk


def test_a_version_number_is_unique_from_one_and_changes_something(dataset: Dataset) -> None:
    good = {"dataset": dataset, "number": 1, "kind": "added", "added": 1, "case_count": 1}
    DatasetVersion.objects.create(**good)
    for bad in ({}, {"number": 0}, {"number": 2, "added": 0}):
        with pytest.raises(IntegrityError), transaction.atomic():
            DatasetVersion.objects.create(**{**good, **bad})
    assert DatasetVersion.objects.create(**{**good, "number": 2, "added": 0, "removed": 1}).pk


def test_a_dataset_has_a_name_and_usage_is_not_negative(dataset: Dataset) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Dataset.objects.filter(pk=dataset.pk).update(name="")
    with pytest.raises(IntegrityError), transaction.atomic():
        RevisionUsage.objects.create(organisation=dataset.organisation, revisions=-1)
    assert RevisionUsage.objects.create(organisation=dataset.organisation, revisions=0).pk


@pytest.mark.parametrize("value", [[], [{"b": 1e16, "a": 1.0}], [{"ż": ['"', "\\", "\u2028"], "n": None}]])
def test_json_comes_back_to_the_letter(store: Callable[..., CaseRevision], value: list[Any]) -> None:
    kept = CaseRevision.objects.get(pk=store(checks=value).pk).checks
    assert repr(kept) == repr(value)
