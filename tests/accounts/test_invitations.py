"""Invitation links: made, withdrawn, accepted once (PL-1)."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import AuditEntry, Invitation, Member, User
from accounts.operations.invitations import accept_invitation, invite_member, revoke_invitation, usable_invitation
from accounts.operations.members import change_role, remove_member
from accounts.permissions import Role
from core.errors import Conflict, Invalid, NotAllowed, NotFound
from tests.cast import Cast, make_cast

NEW = {"name": "Nia New", "password": "correct horse battery"}


def invite(cast: Cast, email: str = "nia@example.org", role: str = "builder", by: str = "admin") -> str:
    return invite_member(cast.actor(by), email=email, role=role).token


@pytest.mark.spec("PL-1", "PL-8")
def test_the_secret_is_in_the_link_and_only_its_hash_in_the_table(cast: Cast) -> None:
    issued = invite_member(cast.actor("admin"), email="Nia@Example.org", role="builder")
    assert issued.link == f"http://localhost:8000/invitations/{issued.token}/"
    assert issued.invitation.email == "nia@example.org"
    assert issued.token not in str(Invitation.objects.values())
    assert issued.token not in str(AuditEntry.objects.values())
    assert "nia@" not in str(AuditEntry.objects.values())


@pytest.mark.spec("PL-1")
def test_it_expires_after_seven_days(cast: Cast) -> None:
    issued = invite_member(cast.actor("admin"), email="nia@example.org", role="builder")
    assert abs(issued.invitation.expires_at - timezone.now() - timedelta(days=7)) < timedelta(minutes=1)
    Invitation.objects.update(expires_at=timezone.now())
    with pytest.raises(Conflict) as refused:
        accept_invitation(token=issued.token, **NEW)
    assert refused.value.code == "invitation_expired"
    assert not User.objects.filter(email="nia@example.org").exists()


@pytest.mark.spec("PL-1")
def test_a_new_person_joins_with_name_and_password(cast: Cast) -> None:
    member = accept_invitation(token=invite(cast), **NEW, address="192.0.2.7")
    assert (member.user.email, member.user.name, member.role) == ("nia@example.org", "Nia New", Role.BUILDER)
    assert AuditEntry.objects.get(action="invitation.accepted").address == "192.0.2.7"


@pytest.mark.spec("PL-1")
def test_it_works_once(cast: Cast) -> None:
    token = invite(cast)
    accept_invitation(token=token, **NEW)
    with pytest.raises(Conflict) as refused:
        accept_invitation(token=token, **NEW)
    assert refused.value.code == "invitation_used"


@pytest.mark.spec("PL-2")
def test_a_signed_in_person_of_that_address_joins_another_organisation(cast: Cast) -> None:
    member = accept_invitation(token=invite(cast, "stranger@example.org"), user=cast.stranger.user)
    assert (member.user, member.organisation) == (cast.stranger.user, cast.kettle)


def test_somebody_signed_in_with_another_address_is_refused(cast: Cast) -> None:
    with pytest.raises(Conflict) as refused:
        accept_invitation(token=invite(cast), user=cast.stranger.user)
    assert refused.value.code == "other_address"


def test_a_link_never_sets_the_password_of_a_login_that_exists(cast: Cast) -> None:
    with pytest.raises(Conflict) as refused:
        accept_invitation(token=invite(cast, "stranger@example.org"), **NEW)
    assert refused.value.code == "sign_in_first"
    cast.stranger.user.refresh_from_db()
    assert cast.stranger.user.check_password("correct horse battery")


def test_a_former_member_becomes_one_again_with_the_new_role(cast: Cast) -> None:
    remove_member(cast.actor("owner"), member_id=cast.builder.pk)
    member = accept_invitation(token=invite(cast, "builder@example.org", "viewer"), user=cast.builder.user)
    assert (member.pk, member.role, member.left_at) == (cast.builder.pk, Role.VIEWER, None)


def test_who_joined_by_another_link_meanwhile_is_told(cast: Cast) -> None:
    token = invite(cast, "stranger@example.org")
    Member.objects.create(organisation=cast.kettle, user=cast.stranger.user, role=Role.VIEWER)
    with pytest.raises(Conflict) as refused:
        accept_invitation(token=token, user=cast.stranger.user)
    assert refused.value.code == "already_member"


@pytest.mark.parametrize("change", [{"name": " "}, {"password": "12345"}])
def test_a_wrong_field_is_named_and_the_link_stays_good(cast: Cast, change: dict[str, str]) -> None:
    token = invite(cast)
    with pytest.raises(Invalid) as refused:
        accept_invitation(token=token, **NEW | change)
    assert {problem.field for problem in refused.value.problems} == set(change)
    assert usable_invitation(token).email == "nia@example.org"


@pytest.mark.parametrize("token", ["", "nothing", "ü" * 40, "\ud800"])
def test_an_unknown_token_is_not_found(cast: Cast, token: str) -> None:
    with pytest.raises(NotFound):
        usable_invitation(token)


def test_a_member_s_address_is_refused_by_name(cast: Cast) -> None:
    with pytest.raises(Invalid) as refused:
        invite(cast, "BUILDER@example.org")
    assert refused.value.problems[0].field == "email"


@pytest.mark.parametrize(("field", "value"), [("email", "nobody"), ("role", "emperor")])
def test_a_wrong_invitation_names_its_field(cast: Cast, field: str, value: str) -> None:
    with pytest.raises(Invalid) as refused:
        invite_member(cast.actor("owner"), **{"email": "nia@example.org", "role": "viewer"} | {field: value})
    assert refused.value.problems[0].field == field


@pytest.mark.spec("PL-3")
def test_an_admin_cannot_invite_owners_and_an_owner_can(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        invite(cast, role="owner")
    assert invite(cast, role="owner", by="owner")


@pytest.mark.parametrize("role", ["builder", "operator", "member", "viewer"])
def test_others_neither_invite_nor_withdraw(cast: Cast, role: str) -> None:
    with pytest.raises(NotAllowed):
        invite(cast, by=role)
    with pytest.raises(NotAllowed):
        revoke_invitation(cast.actor(role), invitation_id=uuid4())


def test_the_system_invites_nobody(cast: Cast) -> None:
    with pytest.raises(NotAllowed):
        invite_member(Actor.system(cast.kettle), email="nia@example.org", role="viewer")


def test_a_second_invitation_replaces_the_first(cast: Cast) -> None:
    first, second = invite(cast), invite(cast)
    with pytest.raises(Conflict) as refused:
        usable_invitation(first)
    assert refused.value.code == "invitation_revoked"
    assert usable_invitation(second)


def test_a_withdrawn_link_is_dead_and_withdrawing_again_changes_nothing(cast: Cast) -> None:
    issued = invite_member(cast.actor("admin"), email="nia@example.org", role="viewer")
    revoke_invitation(cast.actor("admin"), invitation_id=issued.invitation.pk)
    revoke_invitation(cast.actor("admin"), invitation_id=issued.invitation.pk)
    with pytest.raises(Conflict) as refused:
        accept_invitation(token=issued.token, **NEW)
    assert refused.value.code == "invitation_revoked"
    assert AuditEntry.objects.filter(action="invitation.revoked").count() == 1


def test_an_accepted_invitation_cannot_be_withdrawn(cast: Cast) -> None:
    issued = invite_member(cast.actor("admin"), email="nia@example.org", role="viewer")
    accept_invitation(token=issued.token, **NEW)
    with pytest.raises(Conflict):
        revoke_invitation(cast.actor("admin"), invitation_id=issued.invitation.pk)


@pytest.mark.spec("ACC-D9")
def test_an_invitation_of_another_organisation_is_not_found(cast: Cast) -> None:
    theirs = invite_member(cast.actor("stranger"), email="nia@example.org", role="viewer").invitation
    with pytest.raises(NotFound):
        revoke_invitation(cast.actor("admin"), invitation_id=theirs.pk)


@pytest.mark.parametrize(
    "end",
    [
        lambda cast: remove_member(cast.actor("owner"), member_id=cast.admin.pk),
        lambda cast: change_role(cast.actor("owner"), member_id=cast.admin.pk, role="member"),
        lambda cast: User.objects.filter(pk=cast.admin.user_id).update(is_active=False),
    ],
    ids=["removed", "demoted", "switched off"],
)
def test_a_link_ends_with_the_rights_of_who_made_it(cast: Cast, end: Callable[[Cast], Any]) -> None:
    token = invite(cast)
    end(cast)
    with pytest.raises(Conflict) as refused:
        accept_invitation(token=token, **NEW)
    assert refused.value.code == "invitation_revoked"


def test_mail_goes_out_after_the_commit_where_a_server_is_set_up(
    cast: Cast, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    settings.EMAIL_IS_SET_UP = True
    with django_capture_on_commit_callbacks(execute=True):
        issued = invite_member(cast.actor("admin"), email="nia@example.org", role="viewer")
        assert not mail.outbox
    assert mail.outbox[0].to == ["nia@example.org"]
    assert issued.link in mail.outbox[0].body


@pytest.mark.spec("PL-52")
def test_without_a_mail_server_the_link_goes_nowhere(cast: Cast, django_capture_on_commit_callbacks: Any) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        invite(cast)
    assert not mail.outbox


@pytest.mark.spec("PL-1")
def test_a_link_used_twice_at_once_makes_one_member(transactional_db: None) -> None:
    cast = make_cast()
    token = invite(cast)

    def accept(_number: int) -> bool:
        try:
            accept_invitation(token=token, **NEW)
        except Conflict:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(accept, range(4))) == [False, False, False, True]
    assert Member.objects.filter(user__email="nia@example.org").count() == 1
    assert User.objects.filter(email="nia@example.org").count() == 1


@pytest.mark.spec("PL-1", "PL-3", "PL-6")
@pytest.mark.parametrize(("made_as", "role", "is_now"), [("admin", "viewer", "builder"), ("owner", "owner", "admin")])
def test_it_lets_nobody_in_whom_its_maker_could_not_invite_any_more(
    cast: Cast, made_as: str, role: str, is_now: str
) -> None:
    """Also where the demotion withdrew nothing, since the invitation was being made at the same moment."""
    token = invite(cast, role=role, by=made_as)
    Member.objects.filter(pk=cast.members[made_as].pk).update(role=is_now)
    with pytest.raises(Conflict) as refused:
        accept_invitation(token=token, **NEW)
    assert refused.value.code == "invitation_revoked"


@pytest.mark.django_db(transaction=True)
def test_accepting_waits_for_the_organisation_before_it_holds_the_invitation() -> None:
    """As a removal does, which withdraws invitations: in another order the two would wait for each other for ever."""
    if not connection.features.has_select_for_update:
        pytest.skip("SQLite has one lock for all")
    token = invite(make_cast())
    with CaptureQueriesContext(connection) as queries:
        accept_invitation(token=token, **NEW)
    locked = [query["sql"] for query in queries if "FOR NO KEY UPDATE" in query["sql"]]
    assert ["accounts_organisation" in sql.partition("FROM")[2].split()[0] for sql in locked] == [True, False]


def test_the_states_of_an_invitation_are_told_apart(cast: Cast) -> None:
    now = timezone.now()
    invitation = invite_member(cast.actor("admin"), email="nia@example.org", role="viewer").invitation
    assert invitation.state == "open"
    invitation.expires_at = now
    assert invitation.state == "expired"
    invitation.revoked_at = now
    assert invitation.state == "revoked"
    invitation.accepted_at = now
    assert invitation.state == "accepted"
