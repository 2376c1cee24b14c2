"""A first answer that is given again asks first whether the caller may still know its dataset (ACC-19, BC-47)."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from accounts import access
from accounts.api.sharing import SharedEndpoint
from accounts.permissions import GrantLevel
from datasets.models import Dataset
from tests.api.clients import client_of, stable
from tests.cast import Cast

CASE = {"input": "How long?", "reference_answer": "30 days"}


def private_dataset(cast: Cast) -> Dataset:
    """One of the owner's that the viewer edits by a grant."""
    made = client_of(cast.owner).post("/datasets", {"name": "Private", "visibility": "private"}).json()
    dataset = Dataset.objects.get(pk=UUID(made["id"]))
    access.put_grant(dataset, user=cast.viewer.user, level=GrantLevel.EDIT)
    return dataset


@pytest.mark.spec("ACC-19", "ACC-D13", "PL-42")
def test_a_member_who_lost_the_dataset_gets_not_found_instead_of_the_first_answer(cast: Cast) -> None:
    dataset, api = private_dataset(cast), client_of(cast.viewer)
    assert api.post(f"/datasets/{dataset.pk}/cases", CASE, Idempotency_Key="k").status_code == 201
    access.remove_grants(Dataset.objects.filter(pk=dataset.pk), user=cast.viewer.user)
    again = api.post(f"/datasets/{dataset.pk}/cases", CASE, Idempotency_Key="k")
    unknown = api.post(f"/datasets/{cast.owner.pk}/cases", CASE, Idempotency_Key="other")
    assert again.status_code == 404
    assert stable(again) == stable(unknown)


@pytest.mark.spec("PL-42")
def test_a_deletion_is_still_answered_as_the_first_time(cast: Cast) -> None:
    dataset, api = private_dataset(cast), client_of(cast.owner)
    answers = [api.delete(f"/datasets/{dataset.pk}", Idempotency_Key="k") for _ in range(2)]
    assert [one.status_code for one in answers] == [204, 204]


@pytest.mark.spec("ACC-D10")
def test_every_endpoint_under_a_dataset_asks_before_it_tells_again() -> None:
    under = list(endpoints(get_resolver().url_patterns))
    assert len(under) >= 8
    assert [view for view in under if not issubclass(view, SharedEndpoint)] == []


def endpoints(patterns: Sequence[object]) -> list[type]:
    """The view classes of the API whose address holds a dataset's id."""
    found: list[type] = []
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            found += endpoints(pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and "dataset_id" in str(pattern.pattern):
            view = getattr(pattern.callback, "cls", None)
            found += [view] if view else []
    return found
