"""What happens to a login, written to the audit log of each organisation that the user belongs to (PL-8)."""

from typing import Any

from django.db import transaction

from accounts import audit
from accounts.actor import Actor
from accounts.models import AuditEntry, Member, User


@transaction.atomic
def record_security_event(user: User, action: str, *, address: str, **details: Any) -> None:
    """One entry in each organisation: a sign-in, a new password, two-factor on or off."""
    for member in _memberships(user):
        audit.record(Actor.of_member(member, address=address), action, user, **details)


@transaction.atomic
def record_failed_sign_in(email: str, *, address: str) -> None:
    """One entry in each organisation of that address, with how many failures there were since the last success.

    An address that nobody has leaves nothing: whatever was typed there may be a password.
    """
    for member in _memberships(User.objects.filter(email=email.strip().lower()).first()):
        actor = Actor.of_member(member, address=address)
        audit.record(actor, "user.sign_in_failed", member.user, failures=_failures_of(member) + 1)


def _memberships(user: User | None) -> list[Member]:
    return list(Member.objects.active().filter(user=user).select_related("organisation", "user")) if user else []


def _failures_of(member: Member) -> int:
    mine = AuditEntry.objects.filter(organisation_id=member.organisation_id, member=member)
    last = mine.filter(action="user.signed_in").order_by("-at", "-pk").first()
    failed = mine.filter(action="user.sign_in_failed")
    return failed.filter(at__gt=last.at).count() if last else failed.count()
