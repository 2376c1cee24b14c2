"""Which invitations still let somebody in."""

from accounts import access
from accounts.actor import Actor
from accounts.models.invitation import Invitation, InvitationQuerySet
from accounts.permissions import Permission


def open_invitations(actor: Actor) -> InvitationQuerySet:
    """The open ones of the organisation with who made each. Raises `NotAllowed` without `members:manage`."""
    access.require(actor, Permission.MEMBERS_MANAGE)
    return Invitation.objects.of(actor).open().select_related("invited_by__user")
