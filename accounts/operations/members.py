"""Changing roles and ending memberships (PL-3, ACC-D5, ACC-D8)."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import ApiKey, Invitation, Member, Organisation, shared_models
from accounts.permissions import Permission, Role
from core.errors import Conflict, Invalid, NotAllowed, NotFound


@dataclass(frozen=True)
class HandedOver:
    """What leaving did: who took over, and how many things of each kind; `{"dataset": 3}`."""

    heir: Member | None
    counts: dict[str, int] = field(default_factory=dict)
    grants_removed: int = 0

    @property
    def total(self) -> int:
        return sum(self.counts.values())


@transaction.atomic
def change_role(actor: Actor, *, member_id: UUID, role: str) -> Member:
    """Give a member another role.

    Raises `NotAllowed` without `members:manage`, or where an Owner is named or touched by somebody who is none;
    `Conflict` for the last Owner; `NotFound`; `Invalid` naming `role`.
    """
    lock_members(actor)
    access.require(actor, Permission.MEMBERS_MANAGE)
    member = active_member(actor, member_id)
    wanted = as_role(role)
    check_owner_rule(actor, wanted, Role(member.role))
    if wanted == member.role:
        return member
    if member.role == Role.OWNER:
        _keep_an_owner(member, actor)
    before, member.role = member.role, wanted
    member.save(update_fields=["role"])
    withdrawn = withdraw_invitations(member)
    audit.record(
        actor, "member.role_changed", member, before=before, after=wanted.value, invitations_withdrawn=withdrawn
    )
    return member


@transaction.atomic
def remove_member(actor: Actor, *, member_id: UUID) -> HandedOver:
    """End a membership: their things go to an Owner, grants, keys and open invitations end (ACC-D5, ACC-D8).

    Raises `NotAllowed` without `members:manage` or where only an Owner may, `Conflict` for the last Owner, `NotFound`.
    """
    lock_members(actor)
    access.require(actor, Permission.MEMBERS_MANAGE)
    member = active_member(actor, member_id)
    check_owner_rule(actor, Role(member.role))
    return end_membership(actor, member, action="member.removed")


@transaction.atomic
def leave_organisation(actor: Actor) -> HandedOver:
    """End the acting member's own membership. Raises `Conflict` for the last Owner, `NotAllowed` for keys."""
    lock_members(actor)
    if actor.member is None or actor.key is not None:
        raise NotAllowed
    return end_membership(actor, active_member(actor, actor.member.pk), action="member.left")


def end_membership(actor: Actor, member: Member, *, action: str) -> HandedOver:
    """What removing, leaving and erasing have in common; the caller holds the organisation's lock."""
    heir = _keep_an_owner(member, actor) if member.role == Role.OWNER else _owner_after(member, actor)
    counts, grants = {}, 0
    for model in shared_models():
        things: Any = model._default_manager.filter(organisation_id=member.organisation_id)
        counts[str(model._meta.model_name)] = _hand_over(actor, things.filter(owner=member), heir)
        grants += access.remove_grants(things, user=member.user)
    handed = HandedOver(heir, {noun: count for noun, count in counts.items() if count}, grants)
    member.left_at = timezone.now()
    member.save(update_fields=["left_at"])
    keys = ApiKey.objects.filter(member=member, revoked_at=None).update(revoked_at=member.left_at)
    withdrawn = withdraw_invitations(member)
    audit.record(
        actor,
        action,
        member,
        handed_over=handed.counts,
        to_member=str(heir.pk) if heir else None,
        grants_removed=grants,
        keys_revoked=keys,
        invitations_withdrawn=withdrawn,
    )
    return handed


def as_role(role: str) -> Role:
    """The role of that name; raises `Invalid` naming `role`."""
    try:
        return Role(role)
    except ValueError:
        raise Invalid.at("role", _("Choose one of the roles.")) from None


def check_owner_rule(actor: Actor, *roles: Role) -> None:
    """Raise `NotAllowed` where one of the roles is Owner and the actor is not: only Owners name and touch Owners."""
    if Role.OWNER in roles and actor.role not in (Role.OWNER, None):
        raise NotAllowed(_("Only an Owner can do this to an Owner."))


def lock_members(actor: Actor) -> None:
    """Make changes of an organisation's members happen one after another, so that the last Owner is the last one.

    The actor's own role is read again under the lock; raises `NotFound` where their membership has ended meanwhile.
    """
    Organisation.objects.select_for_update(no_key=True).get(pk=actor.organisation_id)
    if actor.member is not None:
        present = Member.objects.active().filter(pk=actor.member.pk).first()
        if present is None:
            raise NotFound
        actor.member.role = present.role


def active_member(actor: Actor, member_id: UUID) -> Member:
    """An active member of the actor's organisation; raises `NotFound` where the actor may not know them."""
    found = Member.objects.active().known_to(actor).select_related("user", "organisation").filter(pk=member_id).first()
    if found is None:
        raise NotFound
    return found


def withdraw_invitations(member: Member) -> int:
    """Revoke the open invitations that this member may no longer make: their links are known to them."""
    mine = Invitation.objects.open().filter(invited_by=member)
    if member.left_at is None and access.may(Actor.of_member(member), Permission.MEMBERS_MANAGE):
        mine = mine.filter(role=Role.OWNER) if member.role != Role.OWNER else mine.none()
    return mine.update(revoked_at=timezone.now())


def _owner_after(member: Member, actor: Actor) -> Member | None:
    """The acting Owner where one acts, else the Owner who has been here longest."""
    owners = Member.objects.owners().filter(organisation_id=member.organisation_id).exclude(pk=member.pk)
    return owners.filter(pk__in=[actor.member_id]).first() or owners.order_by("joined_at", "pk").first()


def _keep_an_owner(member: Member, actor: Actor) -> Member:
    other = _owner_after(member, actor)
    if other is None:
        raise Conflict("last_owner", _("An organisation needs an Owner: make somebody else one first."))
    return other


def _hand_over(actor: Actor, things: Any, heir: Member | None) -> int:
    """Make the heir the owner, visibility as it was; each thing's own log says so. How many."""
    found = list(things.order_by("pk"))
    if found and heir is None:
        raise Conflict("no_owner", _("An organisation needs an Owner: make somebody else one first."))
    if found and heir is not None:
        audit.record_each(actor, f"{found[0]._meta.model_name}.owner_changed", found, to_member=str(heir.pk))
        access.remove_grants(things, user=heir.user)
        things.update(owner=heir)
    return len(found)
