"""Persons: the data subject behind a member, or behind an integrator's external id."""

from typing import Any

from django.utils.translation import gettext as _

from accounts.models import Member, Organisation, Person
from accounts.operations.naming import is_text
from core.errors import Invalid
from core.limits import LIMITS


def ensure_person_of_member(member: Member) -> Person:
    """The member's person, made where there is none yet; two calls at once give the same one."""
    person, _made = Person.objects.get_or_create(member=member, defaults={"organisation_id": member.organisation_id})
    return person


def person_by_external_id(organisation: Organisation, *, external_id: Any) -> Person:
    """The organisation's person with this id of the integrator, made where there is none yet; race-safe.

    Raises `Invalid` naming `external_id`: empty, too long, or no text. Erasing frees an id: who comes again later
    with it is a new person.
    """
    if not isinstance(external_id, str) or not external_id.strip() or not is_text(external_id):
        raise Invalid.at("external_id", _("Give the person's id as text."))
    if len(external_id) > LIMITS.external_id_characters:
        raise Invalid.at("external_id", _("At most %(most)d characters.") % {"most": LIMITS.external_id_characters})
    person, _made = Person.objects.get_or_create(organisation=organisation, external_id=external_id)
    return person
