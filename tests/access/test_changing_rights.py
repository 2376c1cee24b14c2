"""What a change of rights does to somebody at work, and what could come back by the table alone (ACC-18, ACC-D13)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts import access, permissions
from accounts.models import Member, SharedResource, shared_models
from accounts.operations.sharing import change_visibility, share, transfer_ownership, unshare
from accounts.permissions import GrantLevel, Permission
from accounts.queries.sharing import grants_of
from core.errors import NotFound
from datasets.models import Dataset
from datasets.operations.datasets import create_dataset
from tests.cast import Cast, make_cast

SENT = {"input": "How long?", "reference_answer": "30 days"}


@pytest.fixture
def dataset(cast: Cast) -> Dataset:
    return create_dataset(cast.actor("owner"), name="Returns", visibility="private")


@pytest.mark.spec("ACC-1", "ACC-2", "ACC-3", "PL-5")
def test_a_dataset_is_a_shared_resource_with_owner_visibility_and_grants(cast: Cast, dataset: Dataset) -> None:
    assert Dataset in shared_models()
    assert isinstance(dataset, SharedResource)
    assert dataset.owner == cast.owner
    share(cast.actor("owner"), dataset, member_id=cast.viewer.pk, level="read")
    assert [(row.member, row.level, row.effective) for row in grants_of(dataset)] == [(cast.viewer, "read", True)]
    assert change_visibility(cast.actor("owner"), dataset, visibility="organisation").visibility == "organisation"


@pytest.mark.spec("ACC-D13", "BC-47")
@pytest.mark.parametrize("htmx", [True, False])
def test_a_save_after_the_right_was_lost_is_refused_by_the_new_rights(
    cast: Cast, dataset: Dataset, sign_in: Callable[[str], Client], htmx: bool
) -> None:
    owner, browser = cast.actor("owner"), sign_in("viewer")
    address = reverse("case_new", args=[dataset.pk])
    headers: Any = {"HX-Request": "true"} if htmx else {}
    share(owner, dataset, member_id=cast.viewer.pk, level="edit")
    assert browser.get(address).status_code == 200
    share(owner, dataset, member_id=cast.viewer.pk, level="read")
    assert browser.post(address, SENT, headers=headers).status_code == 403
    unshare(owner, dataset, member_id=cast.viewer.pk)
    gone = browser.post(address, SENT, headers=headers)
    assert gone.status_code == 404
    # For htmx a message alone: the form with what was typed stays on screen.
    assert (b"<html" not in gone.content) is htmx
    dataset.refresh_from_db()
    assert dataset.newest_version == 0


@pytest.mark.spec("PL-6", "PL-7", "BC-47")
def test_a_demotion_reaches_open_pages_at_once(cast: Cast, sign_in: Callable[[str], Client]) -> None:
    browser = sign_in("admin")
    assert browser.get("/members/").status_code == 200
    Member.objects.filter(pk=cast.admin.pk).update(role="viewer")
    assert browser.get("/members/").status_code == 403


@pytest.mark.spec("ACC-D8", "BC-47")
def test_who_has_just_left_makes_nothing_that_would_belong_to_nobody(cast: Cast) -> None:
    """The request began before the removal, which hands over what is there by then."""
    actor = cast.actor("member")
    Member.objects.filter(pk=cast.member.pk).update(left_at=timezone.now())
    with pytest.raises(NotFound):
        create_dataset(actor, name="Late")
    assert not Dataset.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ACC-D5", "ACC-D8")
@pytest.mark.parametrize("act", [share, transfer_ownership], ids=["share", "transfer_ownership"])
def test_giving_something_to_a_member_waits_for_a_removal_that_is_going_on(act: Any) -> None:
    """The organisation's lock comes first, as in every change of members; then the receiver is still one, or is not."""
    if not connection.features.has_select_for_update:
        pytest.skip("SQLite has one lock for all")
    cast = make_cast()
    actor = cast.actor("owner")
    dataset = create_dataset(actor, name="Returns")
    level: Any = {"level": "read"} if act is share else {}
    with CaptureQueriesContext(connection) as queries:
        act(actor, dataset, member_id=cast.viewer.pk, **level)
    locked = [query["sql"] for query in queries if "FOR NO KEY UPDATE" in query["sql"]]
    assert ["accounts_organisation" in sql.partition("FROM")[2].split()[0] for sql in locked] == [True, False]


@pytest.mark.spec("ACC-14", "ACC-15", "ACC-18")
def test_use_grants_would_work_again_by_one_line_of_the_table(
    cast: Cast, dataset: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    access.put_grant(dataset, user=cast.viewer.user, level=GrantLevel.USE)
    viewer = cast.actor("viewer")
    assert not access.may(viewer, Permission.DATASETS_RUN, dataset)
    given = {**permissions.GIVEN_BY, Permission.DATASETS_RUN: frozenset({GrantLevel.USE})}
    monkeypatch.setattr(access, "GIVEN_BY", given)
    assert access.may(viewer, Permission.DATASETS_RUN, dataset)
