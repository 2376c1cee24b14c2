"""Visibility, grants and owners of shared resources (ACC-1 to ACC-3, ACC-D5 to ACC-D8, ACC-13 to ACC-17)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from accounts import access
from accounts.models import AuditEntry, Member, Visibility
from accounts.operations.members import remove_member
from accounts.operations.sharing import change_visibility, share, transfer_ownership, unshare
from accounts.permissions import GrantLevel, Permission
from accounts.queries.sharing import grants_of, members_to_share_with, who_loses_access
from core.errors import Invalid, NotAllowed, NotFound
from datasets.models import Dataset
from tests.accounts.shared import grant, make_thing
from tests.cast import Cast, make_cast

PRIVATE = Visibility.PRIVATE


@pytest.mark.spec("ACC-3", "ACC-D45")
def test_visibility_changes_afterwards_and_is_logged(cast: Cast) -> None:
    thing = make_thing(cast.member)
    assert change_visibility(cast.actor("member"), thing, visibility="private").visibility == PRIVATE
    entry = AuditEntry.objects.get(action="dataset.visibility_changed")
    assert (entry.object_id, entry.details) == (str(thing.pk), {"before": "organisation", "after": "private"})


def test_the_same_visibility_is_not_logged(cast: Cast) -> None:
    change_visibility(cast.actor("member"), make_thing(cast.member), visibility="organisation")
    assert not AuditEntry.objects.exists()


def test_a_visibility_that_does_not_exist_is_named(cast: Cast) -> None:
    with pytest.raises(Invalid) as refused:
        change_visibility(cast.actor("member"), make_thing(cast.member), visibility="world")
    assert refused.value.problems[0].field == "visibility"


@pytest.mark.spec("ACC-D7", "ACC-D9")
@pytest.mark.parametrize(
    "act",
    [
        lambda actor, thing, cast: change_visibility(actor, thing, visibility="private"),
        lambda actor, thing, cast: share(actor, thing, member_id=cast.viewer.pk, level="read"),
        lambda actor, thing, cast: unshare(actor, thing, member_id=cast.viewer.pk),
        lambda actor, thing, cast: transfer_ownership(actor, thing, member_id=cast.viewer.pk),
    ],
    ids=["change_visibility", "share", "unshare", "transfer_ownership"],
)
def test_who_sees_but_may_not_edit_is_refused_and_who_does_not_see_finds_nothing(cast: Cast, act: Any) -> None:
    shared, private = make_thing(cast.colleague), make_thing(cast.colleague, visibility=PRIVATE)
    with pytest.raises(NotAllowed):
        act(cast.actor("operator"), shared, cast)
    with pytest.raises(NotFound):
        act(cast.actor("viewer"), private, cast)
    with pytest.raises(NotFound):
        act(cast.actor("stranger"), shared, cast)


@pytest.mark.spec("ACC-6", "ACC-7", "ACC-D4", "ACC-D5")
def test_sharing_widens_access_to_one_thing_and_changes_no_role(cast: Cast) -> None:
    thing = make_thing(cast.member, visibility=PRIVATE)
    share(cast.actor("member"), thing, member_id=cast.viewer.pk, level="read")
    share(cast.actor("member"), thing, member_id=cast.viewer.pk, level="edit")
    assert [(row.member, row.level, row.effective) for row in grants_of(thing)] == [(cast.viewer, "edit", True)]
    assert access.may(cast.actor("viewer"), Permission.DATASETS_EDIT, thing)
    cast.viewer.refresh_from_db()
    assert cast.viewer.role == "viewer"


@pytest.mark.spec("ACC-13", "ACC-D6")
@pytest.mark.parametrize("level", ["use", "own", ""])
def test_other_levels_than_reading_and_editing_are_refused_by_name(cast: Cast, level: str) -> None:
    with pytest.raises(Invalid) as refused:
        share(cast.actor("member"), make_thing(cast.member), member_id=cast.viewer.pk, level=level)
    assert refused.value.problems[0].field == "level"


@pytest.mark.spec("ACC-D5")
def test_only_active_members_of_the_organisation_receive_and_not_the_owner(cast: Cast) -> None:
    thing = make_thing(cast.member)
    remove_member(cast.actor("owner"), member_id=cast.viewer.pk)
    for member_id in (cast.stranger.pk, cast.viewer.pk, uuid4(), "no id", cast.member.pk):
        with pytest.raises(Invalid) as refused:
            share(cast.actor("member"), thing, member_id=member_id, level="read")
        assert refused.value.problems[0].field == "member"


@pytest.mark.spec("ACC-14", "ACC-15", "ACC-16", "ACC-17")
def test_a_use_grant_is_listed_as_without_effect_and_can_be_removed(cast: Cast) -> None:
    thing = make_thing(cast.member, visibility=PRIVATE)
    grant(thing, cast.viewer, GrantLevel.USE)
    assert [(row.level, row.effective) for row in grants_of(thing)] == [("use", False)]
    unshare(cast.actor("member"), thing, member_id=cast.viewer.pk)
    assert grants_of(thing) == []
    assert AuditEntry.objects.get(action="dataset.unshared").details == {"member": str(cast.viewer.pk)}


def test_taking_away_what_nobody_gave_is_not_found(cast: Cast) -> None:
    thing = make_thing(cast.member)
    for member_id in (cast.viewer.pk, cast.stranger.pk, "no id"):
        with pytest.raises(NotFound):
            unshare(cast.actor("member"), thing, member_id=member_id)


@pytest.mark.spec("ACC-D7")
def test_nobody_takes_the_owner_s_access_away(cast: Cast) -> None:
    thing = make_thing(cast.member, visibility=PRIVATE)
    grant(thing, cast.colleague, GrantLevel.EDIT)
    with pytest.raises(NotFound):
        unshare(cast.actor("colleague"), thing, member_id=cast.member.pk)
    assert access.may(cast.actor("member"), Permission.DATASETS_EDIT, thing)


@pytest.mark.spec("ACC-D8", "ACC-D45")
@pytest.mark.parametrize("name", ["member", "owner", "admin"])
def test_owner_or_an_organisation_owner_or_admin_hands_over(cast: Cast, name: str) -> None:
    thing = make_thing(cast.member, visibility=PRIVATE)
    grant(thing, cast.viewer, GrantLevel.READ)
    handed = transfer_ownership(cast.actor(name), thing, member_id=cast.viewer.pk)
    assert (handed.owner, handed.visibility) == (cast.viewer, PRIVATE)
    assert grants_of(thing) == []
    assert AuditEntry.objects.get(action="dataset.owner_changed").details["to_member"] == str(cast.viewer.pk)


@pytest.mark.spec("ACC-D8")
@pytest.mark.parametrize("name", ["builder", "colleague"])
def test_an_editor_who_is_not_the_owner_does_not_hand_over(cast: Cast, name: str) -> None:
    thing = make_thing(cast.member)
    grant(thing, cast.members[name], GrantLevel.EDIT)
    with pytest.raises(NotAllowed):
        transfer_ownership(cast.actor(name), thing, member_id=cast.members[name].pk)


def test_a_stranger_cannot_become_owner(cast: Cast) -> None:
    with pytest.raises(Invalid):
        transfer_ownership(cast.actor("member"), make_thing(cast.member), member_id=cast.stranger.pk)


@pytest.mark.spec("ACC-D7")
def test_who_loses_access_is_exactly_who_would(cast: Cast) -> None:
    thing = make_thing(cast.member)
    grant(thing, cast.colleague, GrantLevel.READ)
    grant(thing, cast.both, GrantLevel.USE)
    before = {m for m in Member.objects.filter(organisation=cast.kettle) if _sees(cast, m, thing)}
    told = set(who_loses_access(thing))
    change_visibility(cast.actor("member"), thing, visibility="private")
    after = {m for m in Member.objects.filter(organisation=cast.kettle) if _sees(cast, m, thing)}
    assert told == before - after == {cast.viewer, cast.both}


def _sees(cast: Cast, member: Member, thing: Dataset) -> bool:
    name = next(name for name, found in cast.members.items() if found == member)
    return access.may(cast.actor(name), Permission.DATASETS_VIEW, Dataset.objects.get(pk=thing.pk))


def test_everybody_active_but_the_owner_can_be_shared_with(cast: Cast) -> None:
    remove_member(cast.actor("owner"), member_id=cast.viewer.pk)
    thing = make_thing(cast.member)
    named = set(members_to_share_with(cast.actor("member"), thing))
    assert named == {cast.owner, cast.admin, cast.builder, cast.operator, cast.colleague, cast.both}


@pytest.mark.spec("ACC-D5")
def test_two_grants_at_once_leave_one(transactional_db: None) -> None:
    cast = make_cast()
    thing = make_thing(cast.member, visibility=PRIVATE)

    def give(level: str) -> None:
        try:
            share(cast.actor("member"), thing, member_id=cast.viewer.pk, level=level)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(give, ["read", "edit", "read", "edit"]))
    assert len(grants_of(thing)) == 1
