"""What accounts itself holds of a person: their login, invitations, names of keys; its handlers of the registry."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import ApiKey, Invitation, Member, Person, PersonRequest, User
from core.ids import new_id


@transaction.atomic
def erase_account_of(person: Person) -> dict[str, int]:
    """Take name and address of the person out of this organisation; counts by what was reached. Safe to repeat.

    The member row stays, since versions and the audit log name it, and points at a login without a name. The real
    login goes too, unless it has a membership elsewhere: another organisation decides about that one.
    """
    counts = {"exports": PersonRequest.objects.filter(person=person).exclude(content="").update(content="")}
    if person.member is not None and not person.member.user.erased_at:
        counts |= _erase_member(person.member)
    Person.objects.filter(pk=person.pk, erased_at=None).update(external_id=None, erased_at=timezone.now())
    person.refresh_from_db()
    return counts


def export_account_of(person: Person) -> Any:
    """Who the person is to us, and what they can sign in with, without secrets."""
    member = person.member
    if member is None:
        return {"external_id": person.external_id}
    keys = ApiKey.objects.filter(member=member).order_by("created_at")
    return {
        "name": member.user.name,
        "email": member.user.email,
        "language": member.user.language,
        "organisation": person.organisation.name,
        "role": member.role,
        "joined_at": member.joined_at.isoformat(),
        "left_at": member.left_at.isoformat() if member.left_at else None,
        "api_keys": [
            {"name": key.name, "prefix": key.prefix, "created_at": key.created_at.isoformat()} for key in keys
        ],
    }


def _erase_member(member: Member) -> dict[str, int]:
    user = member.user
    invitations = Invitation.objects.filter(organisation_id=member.organisation_id, email=user.email)
    counts = {
        "invitations": invitations.update(email=""),
        "api_keys": ApiKey.objects.filter(member=member).update(name=""),
        "members": 1,
    }
    nobody = f"{new_id()}@erased.invalid"
    member.user = User.objects.create_user(nobody, None, is_active=False, erased_at=timezone.now())
    member.save(update_fields=["user"])
    if not user.memberships.exists() and not user.is_staff:
        user.delete()
        counts["users"] = 1
    return counts
