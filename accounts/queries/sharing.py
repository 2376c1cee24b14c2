"""Who has a grant on a shared resource, who may get one, who would lose access (ACC-16, ACC-D5, ACC-D7)."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from accounts import access
from accounts.actor import Actor
from accounts.models import Member, SharedResource
from accounts.permissions import GIVEN_BY, SCOPES, GrantLevel, Role, Scope


@dataclass(frozen=True)
class GrantRow:
    """A member's grant; one that gives nothing (`use`, ACC-15) is listed as not effective and can be removed."""

    member: Member
    level: GrantLevel
    effective: bool


def grants_of(thing: SharedResource) -> list[GrantRow]:
    """The grants on a thing, oldest first; two queries."""
    grants = list(access.grants_on(thing))
    users = [grant.user_id for grant in grants]
    members = Member.objects.filter(organisation_id=thing.organisation_id, user_id__in=users).select_related("user")
    by_user = {member.user_id: member for member in members}
    levels = [(by_user[grant.user_id], access.level_of(grant)) for grant in grants if grant.user_id in by_user]
    return [GrantRow(member, level, _gives_something(thing, level)) for member, level in levels]


def who_loses_access(thing: SharedResource) -> list[Member]:
    """The members who see it today and would not once it is private (ACC-D7), by name."""
    view = thing.permission_to("view")
    only_shared = [role for role in Role if SCOPES[view, role] is Scope.SHARED]
    keeping = {row.member.pk for row in grants_of(thing) if row.level in GIVEN_BY[view]} | {thing.owner_id}
    members = Member.objects.active().filter(organisation_id=thing.organisation_id, role__in=only_shared)
    return list(members.exclude(pk__in=keeping).select_related("user").order_by("user__name", "user__email"))


def members_to_share_with(actor: Actor, thing: SharedResource) -> QuerySet[Member]:
    """The active members of the organisation but the owner, by name."""
    members: Any = Member.objects.active().of(actor).exclude(pk=thing.owner_id)
    return members.select_related("user").order_by("user__name", "user__email")


def _gives_something(thing: SharedResource, level: GrantLevel) -> bool:
    return any(level in GIVEN_BY[thing.permission_to(verb)] for verb in ("view", "edit"))
