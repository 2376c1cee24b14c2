"""Grants and owner through the API (ACC-D5 to ACC-D8)."""

from typing import Any
from uuid import uuid4

import pytest

from accounts import access
from accounts.models import AuditEntry
from accounts.permissions import GrantLevel
from datasets.models import Dataset
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast


@pytest.fixture
def api(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


@pytest.fixture
def here(dataset: Dataset) -> str:
    return f"/datasets/{dataset.pk}"


@pytest.mark.spec("ACC-13", "ACC-D5", "ACC-D45")
def test_a_grant_is_made_replaced_read_and_taken_away(cast: Cast, api: ApiClient, here: str) -> None:
    viewer = str(cast.viewer.pk)
    made = api.post(f"{here}/grants", {"member": viewer, "level": "read"})
    assert made.status_code == 201
    expected = {"member": {"id": viewer, "name": "Viewer"}, "level": "read", "effective": True}
    assert made.json() == expected
    assert made["Location"] == f"/api/v1{here}/grants/{viewer}"
    assert api.post(f"{here}/grants", {"member": viewer, "level": "edit"}).json()["level"] == "edit"
    assert api.get(f"{here}/grants/{viewer}").json() == expected | {"level": "edit"}
    assert [grant["level"] for grant in api.get(f"{here}/grants").json()["results"]] == ["edit"]
    assert api.delete(f"{here}/grants/{viewer}").status_code == 204
    assert api.delete(f"{here}/grants/{viewer}").status_code == 404
    assert api.get(f"{here}/grants/{viewer}").status_code == 404
    actions = AuditEntry.objects.filter(action__in=["dataset.shared", "dataset.unshared"]).values_list(
        "action", flat=True
    )
    assert sorted(actions) == ["dataset.shared", "dataset.shared", "dataset.unshared"]


@pytest.mark.spec("ACC-13", "ACC-14", "ACC-15", "ACC-17", "ACC-D6")
def test_use_is_refused_by_name_listed_as_without_effect_and_deleted(
    cast: Cast, api: ApiClient, dataset: Dataset, here: str
) -> None:
    refused = api.post(f"{here}/grants", {"member": str(cast.viewer.pk), "level": "use"})
    assert (refused.status_code, [error["field"] for error in refused.json()["errors"]]) == (422, ["level"])
    access.put_grant(dataset, user=cast.viewer.user, level=GrantLevel.USE)
    (listed,) = api.get(f"{here}/grants").json()["results"]
    assert (listed["level"], listed["effective"]) == ("use", False)
    assert client_of(cast.viewer).get(f"{here}/grants").status_code == 403
    assert api.delete(f"{here}/grants/{cast.viewer.pk}").status_code == 204


@pytest.mark.spec("ACC-D5")
def test_only_an_active_member_of_the_organisation_is_taken(cast: Cast, api: ApiClient, here: str) -> None:
    for member in (str(cast.stranger.pk), str(uuid4()), "nonsense", str(cast.builder.pk)):
        refused = api.post(f"{here}/grants", {"member": member, "level": "read"})
        assert (refused.status_code, refused.json()["errors"][0]["field"]) == (422, "member"), member
    wrong: list[tuple[dict[str, Any], set[str]]] = [
        ({}, {"member", "level"}),
        ({"member": 7, "level": "read"}, {"member"}),
        ({"member": str(cast.viewer.pk), "level": "read", "until": "x"}, {"until"}),
    ]
    for body, fields in wrong:
        refused = api.post(f"{here}/grants", body)
        assert {error["field"] for error in refused.json()["errors"]} == fields


@pytest.mark.spec("ACC-19", "ACC-D9")
def test_who_may_not_know_the_dataset_gets_404_before_anything_of_the_body(cast: Cast, private: Dataset) -> None:
    member = client_of(cast.member)
    for sent in ({}, {"member": "x", "level": "use"}):
        assert member.post(f"/datasets/{private.pk}/grants", sent).status_code == 404
        assert member.send("PUT", f"/datasets/{private.pk}/owner", sent).status_code == 404


@pytest.mark.spec("ACC-D8")
def test_the_owner_hands_over_through_the_api(cast: Cast, api: ApiClient, dataset: Dataset, here: str) -> None:
    assert client_of(cast.operator).send("PUT", f"{here}/owner", {"member": str(cast.member.pk)}).status_code == 403
    handed = api.send("PUT", f"{here}/owner", {"member": str(cast.member.pk)})
    assert (handed.status_code, handed.json()["owner"]) == (200, {"id": str(cast.member.pk), "name": "Member"})
    assert api.send("PUT", f"{here}/owner", {"member": str(cast.viewer.pk)}).status_code == 403
    assert client_of(cast.admin).send("PUT", f"{here}/owner", {"member": "x"}).status_code == 422


@pytest.mark.spec("PL-42")
def test_grants_come_in_pages(cast: Cast, api: ApiClient, here: str) -> None:
    for name in ("viewer", "member", "operator"):
        api.post(f"{here}/grants", {"member": str(cast.members[name].pk), "level": "read"})
    first = api.get(f"{here}/grants?page_size=2").json()
    assert [grant["member"]["name"] for grant in first["results"]] == ["Viewer", "Member"]
    rest = api.get(first["next"].partition("/api/v1")[2]).json()
    assert [grant["member"]["name"] for grant in rest["results"]] == ["Operator"]
