"""Erasing a person and exporting a person's data: asked for here, carried out by a job (ACC-D36, ACC-D43)."""

import json
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Person, PersonRequest
from accounts.operations.members import check_owner_rule, end_membership, lock_members
from accounts.operations.persons import wait_for_holders
from accounts.permissions import Permission, Role
from accounts.privacy import handlers
from core.encryption import decrypt, encrypt
from core.errors import Conflict, NotAllowed, NotFound


@transaction.atomic
def erase_person(actor: Actor, *, person_id: UUID) -> PersonRequest:
    """Ask for an erasure. A member's membership ends now, what they wrote goes in the job that the caller enqueues.

    Raises `NotAllowed` without `privacy:manage` or where an Owner is erased by somebody who is none, `NotFound`,
    `Conflict` for the last Owner or a person who is erased already.
    """
    access.require(actor, Permission.PRIVACY_MANAGE)
    lock_members(actor)
    person = _person(actor, person_id)
    if person.erased_at:
        raise Conflict("person_erased", _("This person is erased already."))
    member = person.member
    if member is not None and member.left_at is None:
        check_owner_rule(actor, Role(member.role))
        end_membership(actor, member, action="member.removed")
    asked, made = PersonRequest.objects.get_or_create(
        organisation=actor.organisation,
        person=person,
        kind=PersonRequest.Kind.ERASURE,
        finished_at=None,
        defaults={"asked_by": actor.member},
    )
    if made:
        audit.record(actor, "person.erasure_asked", person)
    return asked


@transaction.atomic
def export_person(actor: Actor, *, person_id: UUID) -> PersonRequest:
    """Ask for a person's data; by that person, or with `privacy:manage`. The caller enqueues the job.

    Raises `NotFound` where the person may not be known, `Conflict` where they are erased.
    """
    person = _person(actor, person_id)
    if not _is_self(actor, person) and not access.may(actor, Permission.PRIVACY_MANAGE):
        raise NotFound
    if person.erased_at:
        raise Conflict("person_erased", _("This person is erased already."))
    asked = PersonRequest.objects.create(
        organisation=actor.organisation, person=person, kind=PersonRequest.Kind.EXPORT, asked_by=actor.member
    )
    audit.record(actor, "person.export_asked", person)
    return asked


def carry_out(request_id: UUID | str) -> PersonRequest | None:
    """Run every app's handler for one request and keep the counts; safe to repeat, a finished one is left alone."""
    asked = PersonRequest.objects.select_related("person__organisation", "person__member__user").get(pk=request_id)
    if asked.finished_at:
        return None
    if asked.kind == PersonRequest.Kind.ERASURE:
        wait_for_holders(asked.person)
        for handler in handlers():
            counts = handler.erase(asked.person)
            asked.report[handler.name] = _sum(asked.report.get(handler.name, {}), counts)
            asked.save(update_fields=["report"])
    elif not asked.person.erased_at:
        found = {handler.name: handler.export(asked.person) for handler in handlers()}
        asked.content = encrypt(json.dumps(found, ensure_ascii=False, indent=1))
    return _finish(asked)


def read_export(actor: Actor, *, request_id: UUID) -> str:
    """A finished export's JSON, for the person or an organisation Owner (ACC-D43).

    Raises `NotFound` where it may not be known or is there no more, `NotAllowed` for others with `privacy:manage`.
    """
    asked = PersonRequest.objects.of(actor).select_related("person").filter(pk=request_id).exclude(content="").first()
    if asked is None:
        raise NotFound
    if not _is_self(actor, asked.person) and actor.role is not Role.OWNER:
        raise NotAllowed if access.may(actor, Permission.PRIVACY_MANAGE) else NotFound
    access_is_personal = actor.key is None or access.may(actor, Permission.PRIVACY_MANAGE)
    if not access_is_personal:
        raise NotFound
    audit.record(actor, "person.export_read", asked.person)
    return decrypt(asked.content)


@transaction.atomic
def _finish(asked: PersonRequest) -> PersonRequest:
    asked.finished_at = timezone.now()
    asked.save(update_fields=["finished_at", "content"])
    done = "person.erased" if asked.kind == PersonRequest.Kind.ERASURE else "person.exported"
    audit.record(Actor.system(asked.organisation), done, asked.person, request=str(asked.pk), counts=asked.report)
    return asked


def _person(actor: Actor, person_id: UUID) -> Person:
    people = Person.objects.filter(organisation_id=actor.organisation_id).select_related("member__user")
    found = people.filter(pk=person_id).first()
    if found is None:
        raise NotFound
    return found


def _is_self(actor: Actor, person: Person) -> bool:
    return actor.member_id is not None and person.member_id == actor.member_id


def _sum(before: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    """Counts of a repeated run are added to those of the one that was cut off."""
    return {name: before.get(name, 0) + more.get(name, 0) for name in {**before, **more}}
