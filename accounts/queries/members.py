"""Which memberships a user has, which one is in use, and who is in an organisation."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Case, QuerySet, Value, When

from accounts import access
from accounts.actor import Actor
from accounts.models import ApiKey, Invitation, Member, User, shared_models
from accounts.permissions import Role
from core.errors import NotFound


def membership_in_use(user: User, organisation_id: str | None) -> Member | None:
    """The active membership in the wanted organisation, or the oldest one, or None; one query."""
    mine = memberships(user)
    try:
        wanted = UUID(str(organisation_id))
    except ValueError:
        return mine.first()
    first = Case(When(organisation_id=wanted, then=Value(0)), default=Value(1))
    return mine.order_by(first, "joined_at", "pk").first()


def memberships(user: User) -> QuerySet[Member]:
    """The user's active memberships with their organisations, oldest first."""
    return Member.objects.active().filter(user=user).select_related("organisation", "user").order_by("joined_at", "pk")


def members_of(actor: Actor) -> QuerySet[Member]:
    """The active members of the actor's organisation, as far as the actor may know them, by name."""
    return Member.objects.active().known_to(actor).select_related("user").order_by("user__name", "user__email", "pk")


def everybody_of(actor: Actor) -> QuerySet[Member]:
    """Members and former members, for filters of what they did."""
    return Member.objects.of(actor).select_related("user").order_by("user__name", "user__email", "pk")


@dataclass(frozen=True)
class Leaving:
    """What would change when a member leaves: things that an Owner gets (their name, number), and what ends."""

    handed_over: list[tuple[str, int]]
    grants: int
    keys: int
    invitations: int


def what_leaving_changes(member: Member) -> Leaving:
    """The numbers that the confirmation of a removal says (design: destructive acts say in numbers what goes)."""
    handed, grants = [], 0
    for model in shared_models():
        things: Any = model._default_manager.filter(organisation_id=member.organisation_id)
        count = things.filter(owner=member).count()
        handed.append((str(model._meta.verbose_name if count == 1 else model._meta.verbose_name_plural), count))
        grants += access.grants_to(things, user=member.user).count()
    return Leaving(
        handed_over=[(word, count) for word, count in handed if count],
        grants=grants,
        keys=ApiKey.objects.usable().filter(member=member).count(),
        invitations=Invitation.objects.open().filter(invited_by=member).count(),
    )


def roles_to_give(actor: Actor) -> list[Role]:
    """The roles that the actor may give: an Owner's is given by Owners alone."""
    return [role for role in Role if role is not Role.OWNER or actor.role is Role.OWNER]


def membership_in(user: User, organisation_id: str) -> Member:
    """The user's active membership in that organisation; raises `NotFound`."""
    try:
        wanted = UUID(str(organisation_id))
    except ValueError:
        raise NotFound from None
    member = memberships(user).filter(organisation_id=wanted).first()
    if member is None:
        raise NotFound
    return member
