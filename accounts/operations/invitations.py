"""Inviting people, and joining by an invitation's link (PL-1)."""

import hashlib
import secrets
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Invitation, Member, Organisation, User
from accounts.operations.mail import send_invitation
from accounts.operations.members import as_role, check_owner_rule
from accounts.operations.naming import clean_email
from accounts.operations.users import new_user
from accounts.permissions import Permission, Role
from core.errors import Conflict, Invalid, NotAllowed, NotFound


@dataclass(frozen=True)
class IssuedInvitation:
    """An invitation with its secret, which is known now and never again."""

    invitation: Invitation
    token: str

    @property
    def link(self) -> str:
        return settings.BASE_URL + reverse("invitation_accept", args=[self.token])


def hash_of_token(token: str) -> str:
    """How a token is stored: SHA-256, since it is random and long."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@transaction.atomic
def invite_member(actor: Actor, *, email: str, role: str) -> IssuedInvitation:
    """Make a link for one address; an earlier open one for it stops working.

    It is mailed after the commit where a mail server is set up, and always shown to be passed on by hand.
    Raises `NotAllowed` without `members:manage` or where somebody who is no Owner invites one, `Invalid` naming
    `email` (also where it belongs to a member already) or `role`.
    """
    access.require(actor, Permission.MEMBERS_MANAGE)
    if actor.member is None:
        raise NotAllowed
    wanted = as_role(role)
    check_owner_rule(actor, wanted)
    address = clean_email(email)
    if Member.objects.active().of(actor).filter(user__email=address).exists():
        raise Invalid.at("email", _("This address belongs to a member already."))
    earlier = Invitation.objects.of(actor).open().filter(email=address).update(revoked_at=timezone.now())
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        organisation=actor.organisation,
        email=address,
        role=wanted,
        token_hash=hash_of_token(token),
        invited_by=actor.member,
    )
    audit.record(actor, "invitation.created", invitation, role=wanted.value, replaced=earlier)
    issued = IssuedInvitation(invitation, token)
    transaction.on_commit(partial(send_invitation, invitation, link=issued.link), robust=True)
    return issued


@transaction.atomic
def revoke_invitation(actor: Actor, *, invitation_id: UUID) -> Invitation:
    """Stop a link from working; a second time changes nothing.

    Raises `NotAllowed` without `members:manage`, `NotFound`, `Conflict` where it was accepted.
    """
    access.require(actor, Permission.MEMBERS_MANAGE)
    invitation = Invitation.objects.select_for_update(no_key=True).of(actor).filter(pk=invitation_id).first()
    if invitation is None:
        raise NotFound
    if invitation.accepted_at:
        raise Conflict("invitation_accepted", _("The invitation was accepted; remove the member instead."))
    if not invitation.revoked_at:
        invitation.revoked_at = timezone.now()
        invitation.save(update_fields=["revoked_at"])
        audit.record(actor, "invitation.revoked", invitation)
    return invitation


@transaction.atomic
def accept_invitation(
    *, token: str, user: User | None = None, name: str = "", password: str = "", address: str = ""
) -> Member:
    """Join by the link: a signed-in `user` whose address it was made for, or a new login with `name` and `password`.

    An address that already has a login must sign in first, so that a link never sets somebody's password. Works once;
    who was a member before becomes one again. Raises `NotFound` for an unknown token, `Conflict` (`invitation_used`,
    `invitation_expired`, `invitation_revoked`, `sign_in_first`, `other_address`, `already_member`), `Invalid`.
    """
    # The organisation's lock first, as every change of members takes it: a removal withdraws invitations under it.
    Organisation.objects.select_for_update(no_key=True).get(pk=usable_invitation(token).organisation_id)
    invitation = usable_invitation(token, lock=True)
    if user is None:
        user = _login_for(invitation, name=name, password=password)
    elif user.email != invitation.email:
        raise Conflict("other_address", _("This invitation was made for another address than yours."))
    member = _join(invitation, user)
    invitation.accepted_at, invitation.accepted_by = timezone.now(), member
    invitation.save(update_fields=["accepted_at", "accepted_by"])
    audit.record(Actor.of_member(member, address=address), "invitation.accepted", invitation, role=member.role)
    return member


def usable_invitation(token: str, *, lock: bool = False) -> Invitation:
    """The open invitation of a token. Raises `NotFound` where there is none, `Conflict` that says why it is not open.

    It also ends with the membership, the login or the right to make it of whoever made it: they know the link.
    """
    rows = Invitation.objects.select_for_update(no_key=True, of=("self",)) if lock else Invitation.objects.all()
    found = rows.select_related("organisation", "invited_by__user").filter(token_hash=hash_of_token(token)).first()
    if found is None:
        raise NotFound
    if found.accepted_at:
        raise Conflict("invitation_used", _("This invitation was used already. Sign in instead."))
    if found.revoked_at or not _may_still_invite(found):
        raise Conflict("invitation_revoked", _("This invitation was withdrawn. Ask for a new one."))
    if found.expires_at <= timezone.now():
        raise Conflict("invitation_expired", _("This invitation has expired. Ask for a new one."))
    return found


def _may_still_invite(invitation: Invitation) -> bool:
    maker = Actor(invitation.organisation, invitation.invited_by)
    is_owner_matter = invitation.role == Role.OWNER and maker.role is not Role.OWNER
    return invitation.invited_by.is_active and access.may(maker, Permission.MEMBERS_MANAGE) and not is_owner_matter


def _login_for(invitation: Invitation, *, name: str, password: str) -> User:
    try:
        with transaction.atomic():
            return new_user(email=invitation.email, name=name, password=password)
    except IntegrityError:
        raise Conflict("sign_in_first", _("This address has a login already: sign in to accept.")) from None


def _join(invitation: Invitation, user: User) -> Member:
    """The membership, new or woken up again; the caller holds the organisation's lock."""
    member, made = Member.objects.get_or_create(
        organisation=invitation.organisation, user=user, defaults={"role": invitation.role}
    )
    if made:
        return member
    if member.left_at is None:
        raise Conflict("already_member", _("You are a member of this organisation already."))
    member.role, member.left_at, member.joined_at = invitation.role, None, timezone.now()
    member.save(update_fields=["role", "left_at", "joined_at"])
    return member
