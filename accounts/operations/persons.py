"""Persons: the data subject behind a member, or behind an integrator's external id."""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import Member, Organisation, Person, PersonRequest
from accounts.operations.naming import is_text
from core.errors import Conflict, Invalid
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


def persons_by_external_ids(organisation: Organisation, *, external_ids: Collection[str]) -> dict[str, UUID]:
    """The ids of the persons behind many external ids, made where there are none yet, in few statements; race-safe.

    The caller has seen to it that each is a text of a fitting length.
    """
    known = Person.objects.filter(organisation=organisation, external_id__in=external_ids)
    found = {str(name): key for name, key in known.values_list("external_id", "pk")}
    # In one order everywhere, so that two requests that make the same persons never wait for each other in a circle.
    missing = sorted(set(external_ids) - found.keys())
    if missing:
        rows = [Person(organisation=organisation, external_id=each) for each in missing]
        Person.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)
        found = {str(name): key for name, key in known.values_list("external_id", "pk")}
    return found


def hold_persons(person_ids: Collection[UUID]) -> None:
    """Keep these persons from being erased until the transaction ends, so that their words can be stored.

    Raises `Conflict` `person_erased` where one is erased already, or is to be: no more of their words may come in
    (ACC-D35).
    """
    if not person_ids:
        return
    # In the order of their ids, so that two acts on the same persons never wait for each other.
    rows = Person.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=person_ids).order_by("pk")
    erased = [person for person in rows if person.erased_at]
    asked = PersonRequest.objects.filter(person__in=person_ids, kind=PersonRequest.Kind.ERASURE)
    if erased or asked.exists():
        raise Conflict("person_erased", _("The person who wrote this is being erased, so their words are not kept."))


@transaction.atomic
def wait_for_holders(person: Person) -> None:
    """Let every act that holds the person end: what it stores is then found by the erasure that follows."""
    Person.objects.select_for_update(of=("self",)).get(pk=person.pk)
