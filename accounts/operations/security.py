"""What happens to a login, written to the audit log of each organisation that the user belongs to (PL-8)."""

from dataclasses import replace
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


@transaction.atomic
def change_login(user: User, *, address: str, is_active: bool, is_staff: bool) -> list[str]:
    """An operator switches a login on or off, or lets it into the admin; the names of the fields that changed."""
    found = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    wanted = {"is_active": is_active, "is_staff": is_staff}
    changed = [name for name, value in wanted.items() if getattr(found, name) != value]
    members = list(Member.objects.filter(user=found, left_at=None).select_related("organisation"))
    for name in changed:
        setattr(found, name, wanted[name])
    if changed:
        found.save(update_fields=changed)
    for member in members if changed else []:
        system = replace(Actor.system(member.organisation), address=address)
        audit.record(system, "user.login_changed_by_operator", found, fields=changed)
    return changed


def _memberships(user: User | None) -> list[Member]:
    return list(Member.objects.active().filter(user=user).select_related("organisation", "user")) if user else []


def _failures_of(member: Member) -> int:
    mine = AuditEntry.objects.filter(organisation_id=member.organisation_id, member=member)
    last = mine.filter(action="user.signed_in").order_by("-at", "-pk").first()
    failed = mine.filter(action="user.sign_in_failed")
    return failed.filter(at__gt=last.at).count() if last else failed.count()
