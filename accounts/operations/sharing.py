"""Who else gets at a shared resource: its visibility, grants, owner; whatever kind it is (ACC-3, ACC-D4 to ACC-D8)."""

from typing import Any, TypeVar
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from accounts import access, audit
from accounts.actor import Actor
from accounts.models import Member, SharedResource, Visibility
from accounts.operations.members import lock_members
from accounts.permissions import OFFERED_LEVELS, GrantLevel
from accounts.queries.sharing import may_hand_over
from core.errors import Invalid, NotAllowed, NotFound

Thing = TypeVar("Thing", bound=SharedResource)


@transaction.atomic
def change_visibility(actor: Actor, thing: Thing, *, visibility: str) -> Thing:
    """Show it to the whole organisation, or to its owner and those it is shared with.

    Needs the edit permission on it (ACC-D7). Raises `NotFound`, `NotAllowed`, `Invalid` naming `visibility`.
    """
    found = _locked(actor, thing)
    if visibility not in Visibility.values:
        raise Invalid.at("visibility", _("Choose who may see it."))
    if visibility != found.visibility:
        before, found.visibility = found.visibility, visibility
        found.save(update_fields=["visibility"])
        _record(actor, "visibility_changed", found, before=before, after=visibility)
    return found


@transaction.atomic
def share(actor: Actor, thing: SharedResource, *, member_id: UUID | str, level: str) -> GrantLevel:
    """Grant a member `read` or `edit` on it, in place of an earlier level (ACC-D5).

    Raises `NotFound`, `NotAllowed`, `Invalid` naming `level` (also for `use`, ACC-D6) or `member`: only an active
    member of the same organisation, and not the owner, who has everything already.
    """
    lock_members(actor)
    found = _locked(actor, thing)
    wanted = _offered(level)
    member = _receiver(found, member_id)
    if member.pk == found.owner_id:
        raise Invalid.at("member", _("The owner has access already."))
    access.put_grant(found, user=member.user, level=wanted)
    _record(actor, "shared", found, member=str(member.pk), level=wanted.value)
    return wanted


@transaction.atomic
def unshare(actor: Actor, thing: SharedResource, *, member_id: UUID | str) -> None:
    """Take a member's grant away, one without effect too (ACC-17). The owner's access is no grant and stays.

    Raises `NotFound` where the thing may not be known or the member has no grant on it, `NotAllowed`.
    """
    found = _locked(actor, thing)
    member = _member(found, member_id)
    if member is None or not access.remove_grants(_only(found), user=member.user):
        raise NotFound
    _record(actor, "unshared", found, member=str(member.pk))


@transaction.atomic
def transfer_ownership(actor: Actor, thing: Thing, *, member_id: UUID | str) -> Thing:
    """Make another active member the owner, visibility as it is (ACC-D8).

    By the owner, or by an Owner or Admin of the organisation.
    Raises `NotFound`, `NotAllowed`, `Invalid` naming `member`.
    """
    lock_members(actor)
    found = _locked(actor, thing, verb="view")
    if not may_hand_over(actor, found):
        raise NotAllowed(_("Only its owner, or an Owner or Admin of the organisation, can hand it over."))
    member = _receiver(found, member_id)
    if member.pk != found.owner_id:
        before, found.owner = found.owner_id, member
        found.save(update_fields=["owner"])
        access.remove_grants(_only(found), user=member.user)
        _record(actor, "owner_changed", found, from_member=str(before), to_member=str(member.pk))
    return found


def _locked(actor: Actor, thing: Thing, *, verb: str = "edit") -> Thing:
    """The thing as it is now, held until the commit, so that two grants to one member cannot both stay."""
    rows: Any = type(thing)._default_manager.select_for_update(no_key=True, of=("self",))
    return access.fetch(rows, actor, thing.permission_to(verb), pk=thing.pk)


def _only(thing: SharedResource) -> Any:
    return type(thing)._default_manager.filter(pk=thing.pk)


def _offered(level: str) -> GrantLevel:
    if level not in OFFERED_LEVELS:
        raise Invalid.at("level", _("Choose reading or editing: other levels are no longer given."))
    return GrantLevel(level)


def _member(thing: SharedResource, member_id: UUID | str) -> Member | None:
    members = Member.objects.filter(organisation_id=thing.organisation_id).select_related("user")
    try:
        return members.filter(pk=UUID(str(member_id))).first()
    except ValueError:
        return None


def _receiver(thing: SharedResource, member_id: UUID | str) -> Member:
    """An active member of the thing's organisation; a stranger's id and no id look the same."""
    member = _member(thing, member_id)
    if member is None or not member.is_active:
        raise Invalid.at("member", _("Choose a member of this organisation."))
    return member


def _record(actor: Actor, act: str, thing: SharedResource, **details: Any) -> None:
    audit.record(actor, f"{thing._meta.model_name}.{act}", thing, **details)
