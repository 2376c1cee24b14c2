"""Making and renaming organisations."""

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Member, Organisation
from accounts.operations.naming import clean_name
from accounts.permissions import Permission, Role
from core.errors import NotAllowed


@transaction.atomic
def create_organisation(actor: Actor, *, name: str) -> Member:
    """Make another organisation with the acting Owner as its Owner; the new membership.

    Only Owners make tenants, and only in person: a key belongs to one organisation. Raises `NotAllowed`, `Invalid`.
    """
    if actor.member is None or actor.key is not None or actor.role is not Role.OWNER:
        raise NotAllowed(_("Only an Owner can make another organisation."))
    organisation = Organisation.objects.create(name=clean_name(name))
    member = Member.objects.create(organisation=organisation, user=actor.member.user, role=Role.OWNER)
    audit.record(Actor.of_member(member, address=actor.address), "organisation.created", organisation)
    return member


@transaction.atomic
def rename_organisation(actor: Actor, *, name: str) -> Organisation:
    """Give the organisation another name. Raises `NotAllowed`, `Invalid` naming `name`."""
    access.require(actor, Permission.ORGANISATION_MANAGE)
    organisation = Organisation.objects.select_for_update(no_key=True).get(pk=actor.organisation_id)
    new = clean_name(name)
    if new != organisation.name:
        organisation.name = new
        organisation.save(update_fields=["name"])
        audit.record(actor, "organisation.renamed", organisation, fields=["name"])
    return organisation
