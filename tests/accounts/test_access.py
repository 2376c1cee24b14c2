"""Who may do what: role × kind of thing × permission, in one query each (PL-4 to PL-6, ACC-D1 to ACC-D12)."""

import dataclasses
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.contrib.auth.models import Permission as DjangoPermission

from accounts import access
from accounts.actor import Actor
from accounts.models import ApiKey, Member, Visibility
from accounts.permissions import GrantLevel, Permission, Role
from accounts.queries.actors import actor_of_member
from core.errors import NotAllowed, NotFound
from datasets.models import Dataset
from tests.accounts.shared import grant, make_thing, things_around
from tests.cast import Cast

VIEW, EDIT, RUN = Permission.DATASETS_VIEW, Permission.DATASETS_EDIT, Permission.DATASETS_RUN

INSIDE = {"own", "own_private", "shared", "private", "granted_read", "granted_edit", "granted_use"}
SEEN = {"own", "own_private", "shared", "granted_read", "granted_edit"}
SHARED = {"own", "own_private", "shared"}

# The complete set of kinds that each role reaches: one too many fails as well.
REACHED: dict[tuple[Role, Permission], set[str]] = {
    (Role.OWNER, VIEW): INSIDE,
    (Role.OWNER, EDIT): INSIDE,
    (Role.OWNER, RUN): INSIDE,
    (Role.ADMIN, VIEW): INSIDE,
    (Role.ADMIN, EDIT): INSIDE,
    (Role.ADMIN, RUN): INSIDE,
    (Role.BUILDER, VIEW): INSIDE,
    (Role.BUILDER, EDIT): SHARED | {"granted_edit"},
    (Role.BUILDER, RUN): INSIDE,
    (Role.OPERATOR, VIEW): INSIDE,
    (Role.OPERATOR, EDIT): {"granted_edit"},
    (Role.OPERATOR, RUN): INSIDE,
    (Role.MEMBER, VIEW): SEEN,
    (Role.MEMBER, EDIT): {"own", "own_private", "granted_edit"},
    (Role.MEMBER, RUN): SHARED,
    (Role.VIEWER, VIEW): SEEN,
    (Role.VIEWER, EDIT): {"granted_edit"},
    (Role.VIEWER, RUN): set(),
}


@pytest.mark.spec(
    "PL-4", "PL-5", "PL-6", "ACC-6", "ACC-13", "ACC-14", "ACC-15", "ACC-D1", "ACC-D2", "ACC-D4", "ACC-D11"
)
@pytest.mark.parametrize(("role", "permission"), list(REACHED))
def test_list_and_single_answer_agree_and_are_complete(
    cast: Cast, django_assert_num_queries: Any, role: Role, permission: Permission
) -> None:
    actor = cast.actor(role.value)
    things = things_around(cast, cast.members[role.value])
    with django_assert_num_queries(1):
        listed = {thing.name for thing in Dataset.objects.allowed(actor, permission)}
    assert listed == REACHED[role, permission]
    for kind, thing in things.items():
        with django_assert_num_queries(1):
            assert access.may(actor, permission, thing) is (kind in REACHED[role, permission]), kind


@pytest.mark.spec("ACC-19", "ACC-20", "ACC-D9")
@pytest.mark.parametrize("role", list(Role))
def test_fetch_gives_404_before_403_in_one_query(cast: Cast, django_assert_num_queries: Any, role: Role) -> None:
    actor = cast.actor(role.value)
    for kind, thing in things_around(cast, cast.members[role.value]).items():
        expected: Any = None
        if kind not in REACHED[role, VIEW]:
            expected = NotFound
        elif kind not in REACHED[role, EDIT]:
            expected = NotAllowed
        with django_assert_num_queries(1):
            if expected is None:
                assert access.fetch(Dataset.objects.all(), actor, EDIT, pk=thing.pk) == thing
            else:
                with pytest.raises(expected):
                    access.require(actor, EDIT, thing)


@pytest.mark.spec("ACC-D3")
@pytest.mark.parametrize("role", list(Role))
def test_creating_needs_the_permission_by_role_and_no_query(
    cast: Cast, django_assert_num_queries: Any, role: Role
) -> None:
    make_thing(cast.colleague)
    actor = cast.actor(role.value)
    with django_assert_num_queries(0):
        assert access.may(actor, EDIT) is (role in (Role.OWNER, Role.ADMIN, Role.BUILDER, Role.MEMBER))


@pytest.mark.spec("ACC-D3")
def test_a_grant_gives_no_right_to_create(cast: Cast) -> None:
    grant(make_thing(cast.colleague), cast.viewer, GrantLevel.EDIT)
    with pytest.raises(NotAllowed):
        access.require(cast.actor("viewer"), EDIT)


@pytest.mark.spec("ACC-D11")
def test_a_member_of_both_organisations_sees_only_the_one_in_use(cast: Cast) -> None:
    here, there = make_thing(cast.both, "here"), make_thing(cast.both_elsewhere, "there")
    grant(there, cast.both_elsewhere, GrantLevel.EDIT)
    assert list(Dataset.objects.allowed(cast.actor("both"), VIEW)) == [here]
    assert list(Dataset.objects.allowed(cast.actor("both_elsewhere"), VIEW)) == [there]


@pytest.mark.spec("ACC-D11")
def test_a_grant_of_one_organisation_is_worth_nothing_in_another(cast: Cast) -> None:
    there = make_thing(cast.stranger, "there", Visibility.PRIVATE)
    grant(there, cast.both_elsewhere, GrantLevel.EDIT)
    assert not access.may(cast.actor("both"), VIEW, there)


@pytest.mark.spec("BC-47", "PL-6")
def test_permissions_of_the_admin_at_model_level_change_nothing(cast: Cast) -> None:
    thing = make_thing(cast.colleague, visibility=Visibility.PRIVATE)
    everything = DjangoPermission.objects.filter(content_type__app_label="datasets")
    group = Group.objects.create(name="everything")
    group.permissions.set(everything)
    cast.viewer.user.groups.add(group)
    cast.viewer.user.user_permissions.set(everything)
    cast.viewer.user.is_superuser = True
    cast.viewer.user.save()
    assert not access.may(cast.actor("viewer"), VIEW, thing)
    assert not Dataset.objects.allowed(cast.actor("viewer"), VIEW).exists()


@pytest.mark.spec("BC-47")
def test_a_revoked_grant_is_gone_at_once_for_the_same_user_object(cast: Cast) -> None:
    thing = make_thing(cast.colleague, visibility=Visibility.PRIVATE)
    actor = cast.actor("viewer")
    grant(thing, cast.viewer, GrantLevel.READ)
    assert access.fetch(Dataset.objects.all(), actor, VIEW, pk=thing.pk) == thing
    access.remove_grants(Dataset.objects.filter(pk=thing.pk), user=actor.member.user)  # type: ignore[union-attr]
    with pytest.raises(NotFound):
        access.fetch(Dataset.objects.all(), actor, VIEW, pk=thing.pk)


@pytest.mark.spec("ACC-D5")
def test_a_second_grant_replaces_the_level(cast: Cast) -> None:
    thing = make_thing(cast.colleague, visibility=Visibility.PRIVATE)
    grant(thing, cast.viewer, GrantLevel.EDIT)
    grant(thing, cast.viewer, GrantLevel.READ)
    assert [access.level_of(row) for row in access.grants_on(thing)] == [GrantLevel.READ]


@pytest.mark.spec("PL-7", "ACC-D12")
def test_a_key_reaches_what_its_permissions_and_its_issuer_both_allow(cast: Cast) -> None:
    mine, theirs = make_thing(cast.member, "mine"), make_thing(cast.colleague, "theirs", Visibility.PRIVATE)
    key = ApiKey(member=cast.member, permissions=[VIEW.value])
    actor = Actor.of_key(key)
    assert access.may(actor, VIEW, mine)
    assert not access.may(actor, EDIT, mine)
    assert not access.may(actor, EDIT)
    assert not access.may(actor, VIEW, theirs)
    with pytest.raises(NotAllowed):
        access.require(actor, EDIT, mine)


@pytest.mark.spec("ACC-D12")
def test_a_key_without_the_view_permission_finds_nothing(cast: Cast) -> None:
    thing = make_thing(cast.owner)
    actor = Actor.of_key(ApiKey(member=cast.owner, permissions=[Permission.RUNS_VIEW.value]))
    with pytest.raises(NotFound):
        access.require(actor, EDIT, thing)


@pytest.mark.spec("PL-7", "BC-47")
def test_a_key_of_a_demoted_issuer_shrinks_with_them(cast: Cast) -> None:
    private = make_thing(cast.colleague, visibility=Visibility.PRIVATE)
    key = ApiKey.objects.create(member=cast.admin, name="k", prefix="cbk_x", key_hash="h")
    assert access.may(actor_of_member(cast.admin.pk, key.pk), EDIT, private)
    Member.objects.filter(pk=cast.admin.pk).update(role=Role.VIEWER)
    assert not access.may(actor_of_member(cast.admin.pk, key.pk), VIEW, private)


@pytest.mark.spec("BC-47")
def test_a_job_that_asks_again_after_the_membership_ended_finds_nobody(cast: Cast) -> None:
    assert actor_of_member(cast.builder.pk).role is Role.BUILDER
    Member.objects.filter(pk=cast.builder.pk).update(left_at=cast.builder.joined_at)
    with pytest.raises(NotFound):
        actor_of_member(cast.builder.pk)


def test_a_job_finds_no_actor_for_a_revoked_key(cast: Cast) -> None:
    key = ApiKey.objects.create(
        member=cast.admin, name="k", prefix="cbk_x", key_hash="h", revoked_at=cast.admin.joined_at
    )
    with pytest.raises(NotFound):
        actor_of_member(cast.admin.pk, key.pk)


def test_the_system_reaches_everything_of_its_organisation_and_nothing_else(cast: Cast) -> None:
    private = make_thing(cast.colleague, visibility=Visibility.PRIVATE)
    elsewhere = make_thing(cast.stranger)
    system = Actor.system(cast.kettle)
    assert access.may(system, EDIT, private)
    assert not access.may(system, VIEW, elsewhere)


def test_a_permission_without_objects_cannot_be_asked_of_one(cast: Cast) -> None:
    with pytest.raises(TypeError, match="not a shared resource"):
        access.may(cast.actor("owner"), Permission.MEMBERS_MANAGE, cast.member)


def test_an_actor_cannot_be_changed(cast: Cast) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        cast.actor("viewer").member = cast.owner  # type: ignore[misc]


def test_an_organisation_condition_cannot_be_dropped_by_chaining(cast: Cast) -> None:
    elsewhere = make_thing(cast.stranger)
    mine = Dataset.objects.filter(pk=elsewhere.pk).allowed(cast.actor("owner"), VIEW)  # type: ignore[attr-defined]
    assert not (mine | Dataset.objects.none()).exists()
