"""The permission catalogue: the whole table of permission × role → scope, on one screen (PL-4, ACC-4, ACC-5).

Read by `accounts/access.py` and by pages that show it; nothing else decides by it.
"""

from collections.abc import Mapping
from enum import StrEnum

from django.utils.translation import gettext_lazy as _


class Role(StrEnum):
    """What a member is in an organisation, from most to least."""

    OWNER = "owner"
    ADMIN = "admin"
    BUILDER = "builder"
    OPERATOR = "operator"
    MEMBER = "member"
    VIEWER = "viewer"


class Scope(StrEnum):
    """How far a permission of a role reaches (ACC-D1)."""

    ALL = "all"  # every object of the organisation, private ones of others too
    SHARED = "shared"  # own ones, those visible to the organisation, those granted
    OWN = "own"  # own ones, and those granted
    NONE = "none"  # only those granted


class Permission(StrEnum):
    """What an act needs. The names are also the scopes of API keys (ACC-D12)."""

    DATASETS_VIEW = "datasets:view"
    DATASETS_EDIT = "datasets:edit"
    DATASETS_RUN = "datasets:run"
    AGENTS_VIEW = "agents:view"
    AGENTS_EDIT = "agents:edit"
    AGENTS_RUN = "agents:run"
    RUNS_VIEW = "runs:view"
    KNOWLEDGE_VIEW = "knowledge:view"
    KNOWLEDGE_EDIT = "knowledge:edit"
    SKILLS_VIEW = "skills:view"
    SKILLS_EDIT = "skills:edit"
    CONNECTIONS_MANAGE = "connections:manage"
    MEMBERS_MANAGE = "members:manage"
    ORGANISATION_MANAGE = "organisation:manage"
    AUDIT_VIEW = "audit:view"
    PRIVACY_MANAGE = "privacy:manage"

    @property
    def view(self) -> "Permission":
        """The permission that makes the same kind of object visible: `datasets:edit` → `datasets:view`."""
        return VIEW_OF.get(self.value.partition(":")[0], self)


VIEW_OF: Mapping[str, Permission] = {
    "datasets": Permission.DATASETS_VIEW,
    "agents": Permission.AGENTS_VIEW,
    "knowledge": Permission.KNOWLEDGE_VIEW,
    "skills": Permission.SKILLS_VIEW,
}

_ALL, _SHARED, _OWN, _NONE = Scope.ALL, Scope.SHARED, Scope.OWN, Scope.NONE

# Columns:                          owner  admin  builder   operator  member    viewer
_TABLE: Mapping[Permission, tuple[Scope, Scope, Scope, Scope, Scope, Scope]] = {
    Permission.DATASETS_VIEW:       (_ALL, _ALL,  _ALL,     _ALL,     _SHARED,  _SHARED),
    Permission.DATASETS_EDIT:       (_ALL, _ALL,  _SHARED,  _NONE,    _OWN,     _NONE),
    Permission.DATASETS_RUN:        (_ALL, _ALL,  _ALL,     _ALL,     _SHARED,  _NONE),
    Permission.AGENTS_VIEW:         (_ALL, _ALL,  _ALL,     _ALL,     _SHARED,  _SHARED),
    Permission.AGENTS_EDIT:         (_ALL, _ALL,  _SHARED,  _NONE,    _NONE,    _NONE),
    Permission.AGENTS_RUN:          (_ALL, _ALL,  _ALL,     _ALL,     _SHARED,  _NONE),
    Permission.RUNS_VIEW:           (_ALL, _ALL,  _ALL,     _ALL,     _NONE,    _NONE),
    Permission.KNOWLEDGE_VIEW:      (_ALL, _ALL,  _ALL,     _ALL,     _SHARED,  _SHARED),
    Permission.KNOWLEDGE_EDIT:      (_ALL, _ALL,  _SHARED,  _NONE,    _OWN,     _NONE),
    Permission.SKILLS_VIEW:         (_ALL, _ALL,  _ALL,     _ALL,     _SHARED,  _SHARED),
    Permission.SKILLS_EDIT:         (_ALL, _ALL,  _SHARED,  _NONE,    _OWN,     _NONE),
    Permission.CONNECTIONS_MANAGE:  (_ALL, _ALL,  _NONE,    _NONE,    _NONE,    _NONE),
    Permission.MEMBERS_MANAGE:      (_ALL, _ALL,  _NONE,    _NONE,    _NONE,    _NONE),
    Permission.ORGANISATION_MANAGE: (_ALL, _ALL,  _NONE,    _NONE,    _NONE,    _NONE),
    Permission.AUDIT_VIEW:          (_ALL, _ALL,  _NONE,    _NONE,    _NONE,    _NONE),
    Permission.PRIVACY_MANAGE:      (_ALL, _ALL,  _NONE,    _NONE,    _NONE,    _NONE),
}  # fmt: skip

SCOPES: Mapping[tuple[Permission, Role], Scope] = {
    (permission, role): scope for permission, scopes in _TABLE.items() for role, scope in zip(Role, scopes, strict=True)
}


class GrantLevel(StrEnum):
    """What a grant on one object gives. `use` is no longer offered; rows made earlier stay (ACC-13 to ACC-18)."""

    READ = "read"
    EDIT = "edit"
    USE = "use"


OFFERED_LEVELS = (GrantLevel.READ, GrantLevel.EDIT)

# Which levels give a permission on the granted object (ACC-4, ACC-D4). `datasets:run` is given by none (ACC-15).
GIVEN_BY: Mapping[Permission, frozenset[GrantLevel]] = {
    Permission.DATASETS_VIEW: frozenset({GrantLevel.READ, GrantLevel.EDIT}),
    Permission.DATASETS_EDIT: frozenset({GrantLevel.EDIT}),
    Permission.AGENTS_VIEW: frozenset({GrantLevel.READ, GrantLevel.EDIT}),
    Permission.AGENTS_EDIT: frozenset({GrantLevel.EDIT}),
    Permission.KNOWLEDGE_VIEW: frozenset({GrantLevel.READ, GrantLevel.EDIT}),
    Permission.KNOWLEDGE_EDIT: frozenset({GrantLevel.EDIT}),
    Permission.SKILLS_VIEW: frozenset({GrantLevel.READ, GrantLevel.EDIT}),
    Permission.SKILLS_EDIT: frozenset({GrantLevel.EDIT}),
}

ROLE_LABELS = {
    Role.OWNER: _("Owner"),
    Role.ADMIN: _("Admin"),
    Role.BUILDER: _("Builder"),
    Role.OPERATOR: _("Operator"),
    Role.MEMBER: _("Member"),
    Role.VIEWER: _("Viewer"),
}

ROLE_SENTENCES = {
    Role.OWNER: _("Everything, and the only role that can name other Owners."),
    Role.ADMIN: _("Everything but naming Owners."),
    Role.BUILDER: _("Builds datasets, agents, skills and knowledge; reads every run."),
    Role.OPERATOR: _("Runs test runs and reads everything; changes nothing."),
    Role.MEMBER: _("Own datasets, and reading what is shared."),
    Role.VIEWER: _("Reads what is shared."),
}

SENTENCES = {
    Permission.DATASETS_VIEW: _("Read datasets, their cases and versions, and export them."),
    Permission.DATASETS_EDIT: _("Create datasets, change cases, import, delete and share."),
    Permission.DATASETS_RUN: _("Run test runs on datasets."),
    Permission.AGENTS_VIEW: _("See agents and their versions."),
    Permission.AGENTS_EDIT: _("Create and change agents."),
    Permission.AGENTS_RUN: _("Talk to agents and run them."),
    Permission.RUNS_VIEW: _("Read every run and conversation in Activity."),
    Permission.KNOWLEDGE_VIEW: _("Read knowledge bases."),
    Permission.KNOWLEDGE_EDIT: _("Create and change knowledge bases."),
    Permission.SKILLS_VIEW: _("Read skills."),
    Permission.SKILLS_EDIT: _("Create and change skills."),
    Permission.CONNECTIONS_MANAGE: _("Add model connections and their keys."),
    Permission.MEMBERS_MANAGE: _("Invite, change and remove members."),
    Permission.ORGANISATION_MANAGE: _("Change the organisation, its budgets and retention."),
    Permission.AUDIT_VIEW: _("Read and export the audit log."),
    Permission.PRIVACY_MANAGE: _("Erase a person or export a person's data."),
}
