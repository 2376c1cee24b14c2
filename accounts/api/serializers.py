"""What the endpoints of accounts take and give."""

from typing import Any

from rest_framework import serializers

from accounts.access import scope_of
from accounts.actor import Actor
from accounts.permissions import OFFERED_LEVELS, GrantLevel, Permission, Role, Scope
from core.api.pagination import KeysetQuery
from core.api.serializers import Amount, Choice, Moment, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS

ROLES = [role.value for role in Role]
PERMISSIONS = [permission.value for permission in Permission]
SCOPES_GIVEN = [scope.value for scope in Scope if scope is not Scope.NONE]

# --- Who calls


class OrganisationRef(serializers.Serializer[Any]):
    """An organisation by id and name."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class MemberRef(serializers.Serializer[Any]):
    """A member by id and name; somebody who was erased keeps the id."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="__str__")


class PermissionOut(serializers.Serializer[Any]):
    """A permission that the caller has, and how far it reaches."""

    permission = serializers.ChoiceField(PERMISSIONS)
    scope = serializers.ChoiceField(SCOPES_GIVEN)


class MeMemberOut(serializers.Serializer[Any]):
    """The member who calls, or who issued the calling key."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="user.name", allow_blank=True)
    email = serializers.EmailField(source="user.email")
    role = serializers.ChoiceField(ROLES)


class MeKeyOut(serializers.Serializer[Any]):
    """The calling key. `permissions` is null where it is not restricted."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    permissions = serializers.ListField(child=serializers.ChoiceField(PERMISSIONS), allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)


class MeOut(serializers.Serializer[Any]):
    """Who calls, from where, and what they may do by role and key; grants on single objects come on top."""

    organisation = OrganisationRef()
    member = MeMemberOut()
    key = MeKeyOut(allow_null=True)
    permissions = serializers.SerializerMethodField()

    def get_permissions(self, actor: Actor) -> list[dict[str, str]]:
        scopes = [(permission, scope_of(actor, permission)) for permission in Permission]
        return [{"permission": p.value, "scope": s.value} for p, s in scopes if s is not Scope.NONE]


# --- Organisation and members


class OrganisationOut(OrganisationRef):
    """The organisation in use. `retention_days` is how long production runs are kept; null means for good."""

    monthly_budget = Amount(allow_null=True)
    retention_days = serializers.IntegerField(allow_null=True)
    created_at = serializers.DateTimeField()


class OrganisationPatch(StrictSerializer):
    """What may be changed of an organisation; what is left out stays.

    A shorter `retention_days` deletes the runs and conversations that are older within a day, for good.
    """

    name = Text(trim_whitespace=True, max_length=LIMITS.name_characters, required=False)
    monthly_budget = Amount(allow_null=True, required=False)
    retention_days = WholeNumber(allow_null=True, required=False, min_value=1, max_value=LIMITS.retention_days)


class MembershipOut(serializers.Serializer[Any]):
    """A member of the organisation."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="user.name", allow_blank=True)
    email = serializers.EmailField(source="user.email")
    role = serializers.ChoiceField(ROLES)
    joined_at = serializers.DateTimeField()


class MemberPatch(StrictSerializer):
    """What may be changed of a member."""

    role = Choice(ROLES)


# --- Sharing


class OwnerIn(StrictSerializer):
    """Who the owner shall be."""

    member = Text(max_length=36, help_text="The id of an active member of the organisation.")


class GrantIn(OwnerIn):
    """Whom to share with, and how far: `read` lets them view, `edit` change too."""

    level = Choice([level.value for level in OFFERED_LEVELS])


class GrantOut(serializers.Serializer[Any]):
    """A member's grant. One of level `use` was made earlier and gives nothing: `effective` is false."""

    member = MemberRef()
    level = serializers.ChoiceField([level.value for level in GrantLevel])
    effective = serializers.BooleanField()


# --- Invitations


class InvitationOut(serializers.Serializer[Any]):
    """An invitation that still lets somebody in."""

    id = serializers.UUIDField()
    email = serializers.EmailField()
    role = serializers.ChoiceField(ROLES)
    invited_by = MemberRef()
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class InvitationIn(StrictSerializer):
    """Whom to invite, as what."""

    email = Text(trim_whitespace=True, max_length=254)
    role = Choice(ROLES)


class IssuedInvitationOut(serializers.Serializer[Any]):
    """A new invitation with its link, which is shown here and never again."""

    invitation = InvitationOut()
    link = serializers.URLField()


# --- API keys


class ApiKeyOut(serializers.Serializer[Any]):
    """An API key without its secret. `permissions` is null where it may do all that its member may."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    member = MemberRef()
    permissions = serializers.ListField(child=serializers.ChoiceField(PERMISSIONS), allow_null=True)
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)
    revoked_at = serializers.DateTimeField(allow_null=True)


class ApiKeyIn(StrictSerializer):
    """A key to issue. Without `permissions` it may do all that its member may."""

    name = Text(trim_whitespace=True, max_length=LIMITS.name_characters)
    permissions = serializers.ListField(
        child=Choice(PERMISSIONS), allow_null=True, required=False, min_length=1, max_length=len(PERMISSIONS)
    )
    expires_at = Moment(allow_null=True, required=False)


class IssuedKeyOut(serializers.Serializer[Any]):
    """A new key with its secret, which is shown here and never again."""

    api_key = ApiKeyOut()
    key = serializers.CharField(source="raw")


# --- Audit


class AuditQuery(KeysetQuery):
    """Which entries of the audit log."""

    action = serializers.CharField(required=False, max_length=60, help_text="Such as `member.role_changed`.")
    member = serializers.UUIDField(required=False, help_text="Who did it.")
    object = serializers.CharField(
        required=False,
        max_length=LIMITS.name_characters,
        help_text="Its id, or a part of its name.",
    )
    since = Moment(required=False, help_text="From this time on.")
    until = Moment(required=False, help_text="Before this time.")


class AuditObjectOut(serializers.Serializer[Any]):
    """What an entry is about: all empty where it is about no object. `label` is its name."""

    type = serializers.CharField(source="object_type", allow_blank=True)
    id = serializers.CharField(source="object_id", allow_blank=True)
    label = serializers.CharField(source="object_name", allow_blank=True)  # type: ignore[assignment]


class AuditEntryOut(serializers.Serializer[Any]):
    """Who did what to which object, when and from where."""

    id = serializers.IntegerField()
    at = serializers.DateTimeField()
    action = serializers.CharField()
    member = serializers.UUIDField(source="member_id", allow_null=True)
    api_key = serializers.UUIDField(source="api_key_id", allow_null=True)
    object = AuditObjectOut(source="*")
    address = serializers.CharField(allow_blank=True)
    details = serializers.JSONField()
