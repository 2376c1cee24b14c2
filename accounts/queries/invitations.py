"""Reading invitations."""

from django.db.models import QuerySet

from accounts.actor import Actor
from accounts.models import Invitation


def invitations_of(actor: Actor) -> QuerySet[Invitation]:
    """All invitations of the organisation, newest first, with who made them."""
    return Invitation.objects.of(actor).newest_first()


def open_invitations(actor: Actor) -> QuerySet[Invitation]:
    """Those that still let somebody in."""
    return Invitation.objects.of(actor).open()
