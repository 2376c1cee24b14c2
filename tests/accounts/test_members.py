"""Changing roles, removing members, leaving (PL-3, ACC-D5, ACC-D8)."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from accounts import access
from accounts.actor import Actor
from accounts.models import ApiKey, AuditEntry, Invitation, Member, Visibility
from accounts.operations.api_keys import issue_api_key
from accounts.operations.invitations import invite_member
from accounts.operations.members import change_role, leave_organisation, remove_member
from accounts.permissions import GrantLevel, Role
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from datasets.models import Dataset
from tests.accounts.shared import grant, make_thing
from tests.cast import Cast, make_cast, make_member


@pytest.mark.spec("PL-3", "PL-8")
def test_an_admin_changes_a_role_and_the_log_says_from_what_to_what(cast: Cast) -> None:
    assert change_role(cast.actor("admin"), member_id=cast.member.pk, role="builder").role == Role.BUILDER
    entry = AuditEntry.objects.get(action="member.role_changed")
    assert (entry.object_id, entry.object_label) == (str(cast.member.pk), "")
    assert (entry.details["before"], entry.details["after"]) == ("member", "builder")


def test_the_same_role_again_changes_and_says_nothing(cast: Cast) -> None:
    change_role(cast.actor("admin"), member_id=cast.member.pk, role="member")
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("role", ["builder", "operator", "member", "viewer"])
def test_others_change_no_roles(cast: Cast, role: str) -> None:
    with pytest.raises(NotAllowed):
        change_role(cast.actor(role), member_id=cast.member.pk, role="viewer")


@pytest.mark.spec("PL-3")
def test_only_owners_name_owners_and_touch_owners(cast: Cast) -> None:
    admin = cast.actor("admin")
    for attempt in (
        lambda: change_role(admin, member_id=cast.member.pk, role="owner"),
        lambda: change_role(admin, member_id=cast.owner.pk, role="viewer"),
        lambda: change_role(admin, member_id=cast.admin.pk, role="owner"),
        lambda: remove_member(admin, member_id=cast.owner.pk),
    ):
        with pytest.raises(NotAllowed):
            attempt()
    assert change_role(cast.actor("owner"), member_id=cast.member.pk, role="owner").role == Role.OWNER


@pytest.mark.spec("PL-3")
def test_the_last_owner_is_neither_demoted_nor_removed_nor_leaves(cast: Cast) -> None:
    owner = cast.actor("owner")
    for attempt in (
        lambda: change_role(owner, member_id=cast.owner.pk, role="admin"),
        lambda: remove_member(owner, member_id=cast.owner.pk),
        lambda: leave_organisation(owner),
    ):
        with pytest.raises(Conflict) as refused:
            attempt()
        assert refused.value.code == "last_owner"
    assert Member.objects.owners().filter(organisation=cast.kettle).count() == 1


def test_an_owner_whose_login_is_off_does_not_count(cast: Cast) -> None:
    second = make_member(cast.kettle, "second", Role.OWNER)
    second.user.is_active = False
    second.user.save()
    with pytest.raises(Conflict):
        leave_organisation(cast.actor("owner"))


def test_a_role_that_does_not_exist_is_named(cast: Cast) -> None:
    with pytest.raises(Invalid) as refused:
        change_role(cast.actor("owner"), member_id=cast.member.pk, role="emperor")
    assert refused.value.problems[0].field == "role"


@pytest.mark.spec("ACC-D9")
@pytest.mark.parametrize("act", [change_role, remove_member])
def test_strangers_former_members_and_nobody_are_not_found(cast: Cast, act: Any) -> None:
    remove_member(cast.actor("owner"), member_id=cast.viewer.pk)
    extra = {"role": "viewer"} if act is change_role else {}
    for member_id in (cast.stranger.pk, cast.viewer.pk, uuid4()):
        with pytest.raises(NotFound):
            act(cast.actor("owner"), member_id=member_id, **extra)


@pytest.mark.spec("ACC-D8", "ACC-D5")
def test_leaving_hands_things_to_the_acting_owner_and_keeps_them_private(cast: Cast) -> None:
    make_member(cast.kettle, "elder", Role.OWNER)
    private = make_thing(cast.builder, "private", Visibility.PRIVATE)
    shared = make_thing(cast.builder, "shared")
    granted = make_thing(cast.colleague, "granted", Visibility.PRIVATE)
    grant(granted, cast.builder, GrantLevel.EDIT)
    grant(private, cast.owner, GrantLevel.READ)
    handed = remove_member(cast.actor("owner"), member_id=cast.builder.pk)
    assert (handed.heir, handed.counts, handed.grants_removed, handed.total) == (cast.owner, {"dataset": 2}, 1, 2)
    private.refresh_from_db()
    shared.refresh_from_db()
    assert (private.owner, private.visibility) == (cast.owner, Visibility.PRIVATE)
    assert (shared.owner, shared.visibility) == (cast.owner, Visibility.ORGANISATION)
    assert not access.grants_on(granted).exists()
    assert not access.grants_on(private).exists()
    logged = AuditEntry.objects.filter(action="dataset.owner_changed")
    assert {entry.object_id for entry in logged} == {str(private.pk), str(shared.pk)}


@pytest.mark.spec("ACC-D8")
def test_removed_by_an_admin_things_go_to_the_owner_who_was_there_first(cast: Cast) -> None:
    make_member(cast.kettle, "later", Role.OWNER)
    thing = make_thing(cast.builder)
    assert remove_member(cast.actor("admin"), member_id=cast.builder.pk).heir == cast.owner
    thing.refresh_from_db()
    assert thing.owner == cast.owner


@pytest.mark.spec("ACC-D5")
def test_grants_in_another_organisation_stay(cast: Cast) -> None:
    there = make_thing(cast.stranger, "there", Visibility.PRIVATE)
    grant(there, cast.both_elsewhere, GrantLevel.READ)
    remove_member(cast.actor("owner"), member_id=cast.both.pk)
    assert access.grants_on(there).count() == 1


@pytest.mark.spec("PL-7")
def test_keys_and_open_invitations_of_a_leaver_end(cast: Cast) -> None:
    key = issue_api_key(cast.actor("admin"), name="laptop").api_key
    invitation = invite_member(cast.actor("admin"), email="new@example.org", role="viewer").invitation
    leave_organisation(cast.actor("admin"))
    assert not ApiKey.objects.usable().filter(pk=key.pk).exists()
    assert not Invitation.objects.open().filter(pk=invitation.pk).exists()
    entry = AuditEntry.objects.get(action="member.left")
    assert (entry.details["keys_revoked"], entry.details["invitations_withdrawn"]) == (1, 1)


@pytest.mark.spec("PL-7")
def test_a_key_does_not_come_back_with_its_member(cast: Cast) -> None:
    key = issue_api_key(cast.actor("builder"), name="laptop").api_key
    remove_member(cast.actor("owner"), member_id=cast.builder.pk)
    Member.objects.filter(pk=cast.builder.pk).update(left_at=None)
    assert not ApiKey.objects.usable().filter(pk=key.pk).exists()


def test_a_demoted_admin_keeps_no_open_invitations(cast: Cast) -> None:
    invitation = invite_member(cast.actor("admin"), email="new@example.org", role="viewer").invitation
    change_role(cast.actor("owner"), member_id=cast.admin.pk, role="viewer")
    assert not Invitation.objects.open().filter(pk=invitation.pk).exists()


def test_an_owner_made_admin_keeps_the_invitations_an_admin_may_make(cast: Cast) -> None:
    second = make_member(cast.kettle, "second", Role.OWNER)
    actor = Actor.of_member(second)
    to_owner = invite_member(actor, email="a@example.org", role="owner").invitation
    to_viewer = invite_member(actor, email="b@example.org", role="viewer").invitation
    change_role(cast.actor("owner"), member_id=second.pk, role="admin")
    assert set(Invitation.objects.open()) == {to_viewer}
    assert to_owner not in Invitation.objects.open()


def test_a_key_cannot_leave_for_its_member(cast: Cast) -> None:
    key = issue_api_key(cast.actor("builder"), name="laptop").api_key
    with pytest.raises(NotAllowed):
        leave_organisation(Actor.of_key(key))


def test_nothing_stays_when_the_second_half_fails(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    thing = make_thing(cast.builder)

    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise RuntimeError

    monkeypatch.setattr("accounts.operations.members.withdraw_invitations", fail)
    with pytest.raises(RuntimeError):
        remove_member(cast.actor("owner"), member_id=cast.builder.pk)
    cast.builder.refresh_from_db()
    thing.refresh_from_db()
    assert (cast.builder.left_at, thing.owner) == (None, cast.builder)


@pytest.mark.spec("PL-3")
def test_of_two_owners_leaving_at_once_one_stays(transactional_db: None) -> None:
    cast = make_cast()
    second = make_member(cast.kettle, "second", Role.OWNER)

    def leave(member: Member) -> bool:
        try:
            leave_organisation(Actor.of_member(Member.objects.select_related("organisation").get(pk=member.pk)))
        except Conflict:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        left = list(pool.map(leave, [cast.owner, second]))
    assert sorted(left) == [False, True]
    assert Member.objects.owners().filter(organisation=cast.kettle).count() == 1


@pytest.mark.spec("PL-3")
def test_two_owners_who_demote_each_other_at_once_leave_one(transactional_db: None) -> None:
    cast = make_cast()
    second = make_member(cast.kettle, "second", Role.OWNER)

    def demote(pair: tuple[Member, Member]) -> bool:
        try:
            actor = Actor.of_member(Member.objects.select_related("organisation").get(pk=pair[0].pk))
            change_role(actor, member_id=pair[1].pk, role="viewer")
        except (Conflict, NotAllowed):
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(demote, [(cast.owner, second), (second, cast.owner)]))
    assert sorted(done) == [False, True]
    assert Member.objects.owners().filter(organisation=cast.kettle).count() == 1


def test_handing_over_leaves_no_thing_behind(cast: Cast) -> None:
    for number in range(3):
        make_thing(cast.builder, f"thing {number}")
    remove_member(cast.actor("owner"), member_id=cast.builder.pk)
    assert not Dataset.objects.filter(owner=cast.builder).exists()
