"""Which memberships a user has, and which one is in use."""

from uuid import UUID

from django.db.models import Case, QuerySet, Value, When

from accounts.models import Member, User


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
