"""Versions through the API: what changed between two, going back, what each cost (DS-D1, DS-D16)."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest

from datasets.logic.texts import HIDDEN_TEXT
from datasets.models import CaseRevision, Dataset
from datasets.operations.cases import delete_cases, edit_case
from tests.api.clients import ApiClient, client_of
from tests.cast import Cast

Add = Callable[..., Any]


@pytest.fixture
def ids(cast: Cast, dataset: Dataset, add: Add) -> list[UUID]:
    """Two cases by version 2; then the first is edited (3) and the second deleted (4)."""
    builder = cast.actor("builder")
    made = [add(question).revision.case_id for question in ("a", "b")]
    edit_case(builder, dataset_id=dataset.pk, case_id=made[0], changes={"input": "A"})
    delete_cases(builder, dataset_id=dataset.pk, case_ids=[made[1]])
    return made


@pytest.fixture
def client(cast: Cast) -> ApiClient:
    return client_of(cast.builder)


@pytest.fixture
def versions(dataset: Dataset) -> str:
    return f"/datasets/{dataset.pk}/versions"


@pytest.mark.spec("DS-67", "DS-68", "DS-69", "DS-D1")
def test_a_version_says_what_it_cost(client: ApiClient, versions: str, ids: list[UUID]) -> None:
    listed = client.get(versions).json()["results"]
    assert [(one["number"], one["revisions_stored"]) for one in listed] == [(4, 0), (3, 1), (2, 1), (1, 1)]
    assert client.get(f"{versions}/3").json()["restored_from"] is None


@pytest.mark.spec("DS-D16", "DS-D1")
def test_what_changed_is_counted_and_paged(client: ApiClient, versions: str, ids: list[UUID]) -> None:
    told = client.get(f"{versions}/4/changes?since=2").json()
    counts = ("since", "version", "added", "edited", "removed", "same", "total", "page", "next")
    assert [told[name] for name in counts] == [2, 4, 0, 1, 1, 0, 2, 1, None]
    edited, removed = told["results"]
    assert (edited["case_id"], edited["change"], edited["fields"]) == (str(ids[0]), "edited", ["input"])
    assert (edited["before"]["input"], edited["before"]["version"], edited["after"]["input"]) == ("a", 2, "A")
    assert (removed["change"], removed["after"]) == ("removed", None)
    second = client.get(f"{versions}/4/changes?since=2&page_size=1&page=2").json()
    assert [one["change"] for one in second["results"]] == ["removed"]
    only = client.get(f"{versions}/4/changes?since=2&change=edited").json()
    assert (only["total"], only["removed"]) == (1, 1)


def test_without_since_a_version_is_compared_with_the_one_before(
    client: ApiClient, versions: str, ids: list[UUID]
) -> None:
    assert client.get(f"{versions}/4/changes").json()["since"] == 3
    first = client.get(f"{versions}/1/changes").json()
    assert (first["since"], first["added"]) == (0, 1)
    back = client.get(f"{versions}/2/changes?since=4").json()
    assert (back["added"], back["edited"], back["removed"]) == (1, 1, 0)


@pytest.mark.parametrize("address", ["/5/changes", "/0/changes", "/4/changes?since=5", "/x/changes"])
def test_a_version_that_is_not_there_is_404(client: ApiClient, versions: str, ids: list[UUID], address: str) -> None:
    assert client.get(versions + address).status_code == 404


@pytest.mark.parametrize("query", ["since=-1", "since=x", "change=same", "with=2", "page=9"])
def test_what_cannot_be_read_is_422(client: ApiClient, versions: str, ids: list[UUID], query: str) -> None:
    assert client.get(f"{versions}/4/changes?{query}").status_code == 422


@pytest.mark.spec("ACC-25", "ACC-D20")
def test_hidden_text_stays_hidden_in_changes(cast: Cast, dataset: Dataset, versions: str, ids: list[UUID]) -> None:
    CaseRevision.objects.filter(dataset=dataset).update(conversation_text=True)
    edited = client_of(cast.viewer).get(f"{versions}/3/changes").json()["results"][0]
    assert (edited["fields"], edited["hidden_text_differs"]) == ([], True)
    assert edited["before"]["input"] == edited["after"]["input"] == HIDDEN_TEXT


@pytest.mark.spec("DS-D16")
def test_a_restore_answers_201_with_its_version_and_200_where_nothing_changes(
    client: ApiClient, dataset: Dataset, versions: str, ids: list[UUID]
) -> None:
    made = client.post(f"{versions}/2/restore", {})
    assert made.status_code == 201
    assert made["Location"] == f"/api/v1{versions}/5"
    told = made.json()
    shown = ("number", "kind", "restored_from", "added", "edited", "removed", "revisions_stored", "case_count")
    assert [told[name] for name in shown] == [5, "restored", 2, 1, 1, 0, 2, 2]
    again = client.post(f"{versions}/2/restore", {})
    assert (again.status_code, again.json()["number"]) == (200, 5)
    assert client.get(f"/datasets/{dataset.pk}/cases/{ids[1]}").json()["input"] == "b"


def test_a_restore_can_say_what_it_was_decided_on(client: ApiClient, versions: str, ids: list[UUID]) -> None:
    refused = client.post(f"{versions}/2/restore", {"base_version": 3})
    assert (refused.status_code, refused.json()["code"], refused.json()["newest"]) == (409, "version_changed", 4)
    assert client.post(f"{versions}/2/restore", {"base_version": 4}).status_code == 201


@pytest.mark.spec("PL-42")
def test_a_repeated_restore_gives_the_first_answer(client: ApiClient, versions: str, ids: list[UUID]) -> None:
    answers = [client.post(f"{versions}/2/restore", {}, idempotency_key="k") for _sending in range(2)]
    assert [one.status_code for one in answers] == [201, 201]
    assert [one.json()["number"] for one in answers] == [5, 5]


@pytest.mark.spec("ACC-22", "DS-D2")
def test_a_restore_is_refused_like_every_edit(cast: Cast, versions: str, ids: list[UUID], settings: Any) -> None:
    assert client_of(cast.viewer).post(f"{versions}/2/restore", {}).status_code == 403
    assert client_of(cast.stranger).post(f"{versions}/2/restore", {}).status_code == 404
    builder = client_of(cast.builder)
    assert builder.post(f"{versions}/9/restore", {}).status_code == 404
    assert builder.post(f"{versions}/2/restore", {"version": 2}).status_code == 422
    settings.DATASET_MAX_VERSION_ROWS_PER_ORG = 4
    refused = builder.post(f"{versions}/2/restore", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "version_rows_limit")
