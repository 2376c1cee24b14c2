"""Who may do what: the only reader of the permission table and the only door to django-guardian (PL-5, PL-6).

Two questions, one rule behind both:

- `Model.objects.allowed(actor, permission)`: which objects may this actor do this to? One SQL query.
- `may(actor, permission, thing)`: may this actor do this to this object? The same rule on one row.

`require` raises where `may` says no, and `fetch` loads and decides in one query: 404 before 403 (ACC-D9).

The rule starts from the actor's organisation, since guardian's grants belong to users and a user may belong to several
organisations (ACC-D11). Guardian's global permissions are never read: a model-level permission changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from django.db import models
from django.db.models import BooleanField, ExpressionWrapper, Q, Value
from django.utils.translation import gettext as _
from guardian.models import UserObjectPermissionBase
from guardian.shortcuts import assign_perm
from guardian.utils import get_user_obj_perms_model

from accounts.permissions import GIVEN_BY, ROLE_LABELS, SCOPES, GrantLevel, Permission, Role, Scope
from core.errors import NotAllowed, NotFound

if TYPE_CHECKING:
    from accounts.actor import Actor

Thing = TypeVar("Thing", bound=models.Model)

GRANT_PERMISSIONS = [(f"grant_{level}", f"Grant: {level}") for level in GrantLevel]


class Grant(UserObjectPermissionBase):
    """The abstract row of one grant: a user, a `grant_<level>` permission and `content_object`, the granted thing.

    Each kind of shared resource has a subclass with a real foreign key, so a grant goes with its object.
    """

    class Meta(UserObjectPermissionBase.Meta):
        abstract = True


class SharedQuerySet(models.QuerySet[Thing], Generic[Thing]):
    """A query set of shared resources, which knows who may do what to them."""

    def allowed(self, actor: Actor, permission: Permission) -> SharedQuerySet[Thing]:
        """Those of the actor's organisation that the actor may do `permission` to; a single SQL query."""
        return self.filter(_condition(self.model, actor, permission), organisation_id=actor.organisation_id)


def scope_of(actor: Actor, permission: Permission) -> Scope:
    """How far the permission reaches by the actor's role; `NONE` where an API key leaves it out."""
    if not actor.key_allows(permission):
        return Scope.NONE
    return Scope.ALL if actor.role is None else SCOPES[permission, actor.role]


def may(actor: Actor, permission: Permission, thing: models.Model | None = None) -> bool:
    """Whether the actor may. Without a thing: whether the role gives the permission with any scope (no query)."""
    if thing is None:
        return scope_of(actor, permission) is not Scope.NONE
    return _shared(type(thing)).allowed(actor, permission).filter(pk=thing.pk).exists()


def which(actor: Actor, thing: models.Model, *permissions: Permission) -> frozenset[Permission]:
    """Those of the permissions that the actor has on the thing; one query for all of them."""
    decided = {
        permission.name: ExpressionWrapper(_condition(type(thing), actor, permission), output_field=BooleanField())
        for permission in permissions
    }
    mine = _shared(type(thing)).filter(pk=thing.pk, organisation_id=actor.organisation_id)
    found = mine.annotate(**decided).values(*decided).first() or {}
    return frozenset(permission for permission in permissions if found.get(permission.name))


def require(actor: Actor, permission: Permission, thing: models.Model | None = None) -> None:
    """Raise `NotFound` where the thing may not be known, `NotAllowed` where it may but the act is not allowed."""
    if thing is None:
        if not may(actor, permission):
            raise NotAllowed(_who_may(actor, permission))
        return
    fetch(_shared(type(thing)), actor, permission, pk=thing.pk)


def fetch(things: SharedQuerySet[Thing], actor: Actor, permission: Permission, **lookup: Any) -> Thing:
    """Load the one thing of `lookup` that the actor may do `permission` to, in one query.

    Raises `NotFound` where the actor may not view it or it does not exist, `NotAllowed` where viewing is all they may.
    """
    decided = ExpressionWrapper(_condition(things.model, actor, permission), output_field=BooleanField())
    thing: Any = things.allowed(actor, permission.view).annotate(access_decided=decided).filter(**lookup).first()
    if thing is None:
        raise NotFound
    if not thing.access_decided:
        raise NotAllowed
    return thing


def grants_on(thing: models.Model) -> models.QuerySet[Any]:
    """The grant rows of one thing with their users and levels, oldest first."""
    rows = _grants(type(thing)).filter(content_object=thing)
    return rows.select_related("user", "permission").order_by("pk")


def level_of(grant: Any) -> GrantLevel:
    """The level of a grant row of `grants_on`."""
    return GrantLevel(grant.permission.codename.removeprefix("grant_"))


def put_grant(thing: models.Model, *, user: Any, level: GrantLevel) -> None:
    """Give the user this level on the thing, in place of any other (ACC-D5). Call inside a transaction."""
    grants_on(thing).filter(user=user).delete()
    assign_perm(f"grant_{level}", user, thing)


def grants_to(things: models.QuerySet[Any], *, user: Any) -> models.QuerySet[Any]:
    """The grant rows of one user on any of the things."""
    return _grants(things.model).filter(user=user, content_object__in=things.order_by().values("pk"))


def remove_grants(things: models.QuerySet[Any], *, user: Any) -> int:
    """Take the user's grants on the things away, whatever their level; how many there were."""
    deleted, _by_model = grants_to(things, user=user).delete()
    return deleted


def _who_may(actor: Actor, permission: Permission) -> str:
    """Whom to ask: the roles that may. Empty where it is the key that leaves the permission out."""
    if not actor.key_allows(permission):
        return ""
    roles = [str(ROLE_LABELS[role]) for role in Role if SCOPES[permission, role] is not Scope.NONE]
    return _("Your role does not allow this. These roles do: %(roles)s.") % {"roles": ", ".join(roles)}


def _grants(model: type[models.Model]) -> Any:
    """The table of grants that belongs to this kind of thing."""
    table: Any = get_user_obj_perms_model(model)  # type: ignore[arg-type]
    return table.objects


def _shared(model: type[models.Model]) -> SharedQuerySet[Any]:
    things = model._default_manager.all()
    if not isinstance(things, SharedQuerySet):
        raise TypeError(f"{model.__name__} is not a shared resource: ask for its permission without an object")
    return things


def _condition(model: type[models.Model], actor: Actor, permission: Permission) -> Q:
    """The rule as a condition on rows of `model`, the organisation left to the caller."""
    if not actor.key_allows(permission):
        return Q(Value(False))
    scope = scope_of(actor, permission)
    if scope is Scope.ALL:
        return Q(Value(True))
    reached = _granted(model, actor, permission)
    if scope in (Scope.OWN, Scope.SHARED):
        reached |= Q(owner_id=actor.member_id)
    if scope is Scope.SHARED:
        reached |= Q(visibility="organisation")
    return reached


def _granted(model: type[models.Model], actor: Actor, permission: Permission) -> Q:
    levels = GIVEN_BY.get(permission, frozenset())
    if not levels:
        return Q(Value(False))
    # Each kind of thing has its own table of grants, so the codename alone says the level.
    codenames = [f"grant_{level}" for level in sorted(levels)]
    grants = _grants(model).filter(user_id=actor.user_id, permission__codename__in=codenames)
    return Q(pk__in=grants.values("content_object_id"))
