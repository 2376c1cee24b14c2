"""The permission table as the pages show it."""

from dataclasses import dataclass

from django.db.models import Count
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy

from accounts.actor import Actor
from accounts.models import Member
from accounts.permissions import ROLE_LABELS, ROLE_SENTENCES, SCOPES, SENTENCES, Permission, Role, Scope

# Permissions without objects are all or none, so their cells say yes or nothing (PL-4).
WITHOUT_OBJECTS = frozenset({"connections", "members", "organisation", "audit", "privacy"})
SCOPE_LABELS: dict[Scope, str | Promise] = {
    Scope.ALL: pgettext_lazy("scope of a permission", "all"),
    Scope.SHARED: pgettext_lazy("scope of a permission", "shared"),
    Scope.OWN: pgettext_lazy("scope of a permission", "own"),
    Scope.NONE: "–",
}


@dataclass(frozen=True)
class PermissionRow:
    """A permission with its sentence, and how far it reaches for each role in their order."""

    permission: Permission
    sentence: str | Promise
    cells: list[tuple[Scope, str | Promise]]


@dataclass(frozen=True)
class RoleRow:
    """A role with its sentence and how many members have it."""

    role: Role
    label: str | Promise
    sentence: str | Promise
    members: int


def permission_table() -> list[PermissionRow]:
    """Every permission in the table's order."""
    return [PermissionRow(one, SENTENCES[one], [_cell(one, role) for role in Role]) for one in Permission]


def role_rows(actor: Actor) -> list[RoleRow]:
    """The roles from most to least, with the numbers of the actor's organisation; one query."""
    counted = Member.objects.active().of(actor).order_by().values_list("role").annotate(Count("pk"))
    numbers = dict(counted)
    return [RoleRow(role, ROLE_LABELS[role], ROLE_SENTENCES[role], numbers.get(role.value, 0)) for role in Role]


def _cell(permission: Permission, role: Role) -> tuple[Scope, str | Promise]:
    scope = SCOPES[permission, role]
    if scope is Scope.ALL and permission.value.partition(":")[0] in WITHOUT_OBJECTS:
        return scope, pgettext_lazy("permission", "yes")
    return scope, SCOPE_LABELS[scope]
