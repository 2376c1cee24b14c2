"""Who has a grant on a shared resource, who may get one, who would lose access (ACC-16, ACC-D5, ACC-D7)."""

from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from django.db.models import QuerySet

from accounts import access
from accounts.actor import Actor
from accounts.models import Member, SharedResource, Visibility
from accounts.permissions import GIVEN_BY, SCOPES, GrantLevel, Role, Scope
from core.errors import NotFound
from core.folding import fold

Thing = TypeVar("Thing", bound=SharedResource)


@dataclass(frozen=True)
class GrantRow:
    """A member's grant; one that gives nothing (`use`, ACC-15) is listed as not effective and can be removed."""

    member: Member
    level: GrantLevel
    effective: bool


def find_shared(model: type[Thing], actor: Actor, thing_id: UUID, *, verb: str = "view") -> Thing:
    """The thing of this kind with its owner.

    Raises `NotFound` where it may not be known, `NotAllowed` where `verb` needs more.
    """
    return access.fetch(_with_owner(model), actor, model.permission_to(verb), pk=thing_id)


def is_in_sight(model: type[SharedResource], actor: Actor, thing_id: UUID) -> bool:
    """Whether the thing is there for the actor: asked after an act that may have ended their access."""
    return _with_owner(model).allowed(actor, model.permission_to("view")).filter(pk=thing_id).exists()


def refuse_if_out_of_sight(model: type[SharedResource], actor: Actor, thing_id: UUID) -> None:
    """Raise `NotFound` where the thing stands and the actor may not know it; one that is gone is nobody's secret."""
    if model._default_manager.filter(pk=thing_id).exists() and not is_in_sight(model, actor, thing_id):
        raise NotFound


def grants_in_order(thing: SharedResource) -> QuerySet[Any]:
    """The rows behind `grant_rows`, oldest first, for paging."""
    return access.grants_on(thing)


def grants_of(thing: SharedResource) -> list[GrantRow]:
    """The grants on a thing, oldest first; two queries."""
    return grant_rows(thing, list(grants_in_order(thing)))


def grant_of(thing: SharedResource, member_id: UUID) -> GrantRow:
    """One member's grant on a thing. Raises `NotFound` where there is none."""
    user = Member.objects.filter(organisation_id=thing.organisation_id, pk=member_id).values("user_id")
    rows = grant_rows(thing, list(grants_in_order(thing).filter(user_id__in=user)))
    if not rows:
        raise NotFound
    return rows[0]


def grant_rows(thing: SharedResource, grants: list[Any]) -> list[GrantRow]:
    """These rows of `grants_in_order` with their members; one query."""
    users = [grant.user_id for grant in grants]
    members = Member.objects.filter(organisation_id=thing.organisation_id, user_id__in=users).select_related("user")
    by_user = {member.user_id: member for member in members}
    levels = [(by_user[grant.user_id], access.level_of(grant)) for grant in grants if grant.user_id in by_user]
    return [GrantRow(member, level, _gives_something(thing, level)) for member, level in levels]


def who_loses_access(thing: SharedResource) -> list[Member]:
    """The members who see it today and would not once it is private (ACC-D7), by name."""
    return _seeing_it_by_sharing(thing)


def who_gains_access(thing: SharedResource) -> int:
    """How many members do not see it today and would once it is visible to the organisation."""
    return len(_seeing_it_by_sharing(thing))


def members_to_share_with(actor: Actor, thing: SharedResource, *, search: str = "") -> list[Member]:
    """The active members of the organisation but the owner, as far as the actor may know them, by name.

    `search` holds parts of the name or the e-mail address, accents and case ignored; done here, since SQLite folds
    ASCII letters only.
    """
    members: Any = Member.objects.active().known_to(actor).exclude(pk=thing.owner_id)
    words = fold(search).split()
    return [
        member
        for member in members.select_related("user").order_by("user__name", "user__email", "pk")
        if all(word in fold(f"{member.user.name} {member.user.email}") for word in words)
    ]


def may_hand_over(actor: Actor, thing: SharedResource) -> bool:
    """Whether the actor may make somebody else the owner: the owner, or an Owner or Admin (ACC-D8)."""
    is_in_charge = thing.owner_id == actor.member_id or actor.role in (Role.OWNER, Role.ADMIN, None)
    return is_in_charge and actor.key_allows(thing.permission_to("edit"))


def sees_without_owning(actor: Actor, thing: SharedResource) -> bool:
    """Whether the actor, once no longer its owner, would still see the thing."""
    scope = access.scope_of(actor, thing.permission_to("view"))
    if scope is Scope.ALL or (scope is Scope.SHARED and thing.visibility == Visibility.ORGANISATION):
        return True
    given = GIVEN_BY[thing.permission_to("view")]
    return any(access.level_of(grant) in given for grant in grants_in_order(thing).filter(user_id=actor.user_id))


def roles_reaching(thing: SharedResource, verb: str) -> list[Role]:
    """The roles that may view or edit the thing without owning it and without a grant (ACC-5, ACC-D1)."""
    is_shared = thing.visibility == Visibility.ORGANISATION
    reaching = {Scope.ALL, Scope.SHARED} if is_shared else {Scope.ALL}
    return [role for role in Role if SCOPES[thing.permission_to(verb), role] in reaching]


def _with_owner(model: type[Thing]) -> access.SharedQuerySet[Thing]:
    rows: Any = model._default_manager.select_related("owner__user")
    return rows


def _seeing_it_by_sharing(thing: SharedResource) -> list[Member]:
    """Those whom nothing but the visibility lets see it, by name."""
    view = thing.permission_to("view")
    only_shared = [role for role in Role if SCOPES[view, role] is Scope.SHARED]
    keeping = {row.member.pk for row in grants_of(thing) if row.level in GIVEN_BY[view]} | {thing.owner_id}
    members = Member.objects.active().filter(organisation_id=thing.organisation_id, role__in=only_shared)
    return list(members.exclude(pk__in=keeping).select_related("user").order_by("user__name", "user__email"))


def _gives_something(thing: SharedResource, level: GrantLevel) -> bool:
    return any(level in GIVEN_BY[thing.permission_to(verb)] for verb in ("view", "edit"))
