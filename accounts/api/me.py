"""Who calls: the member, the organisation, and what they may do."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import scope_of
from accounts.actor import Actor
from accounts.api.endpoint import Endpoint
from accounts.permissions import Permission, Role, Scope
from core.api.schema import describe


class OrganisationRef(serializers.Serializer[Any]):
    """An organisation by id and name."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class PermissionOut(serializers.Serializer[Any]):
    """A permission that the caller has and how far it reaches."""

    permission = serializers.ChoiceField([permission.value for permission in Permission])
    scope = serializers.ChoiceField([scope.value for scope in Scope if scope is not Scope.NONE])


class MeMemberOut(serializers.Serializer[Any]):
    """The member who calls, or who issued the calling key."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="user.name")
    email = serializers.EmailField(source="user.email")
    role = serializers.ChoiceField([role.value for role in Role])


class MeKeyOut(serializers.Serializer[Any]):
    """The calling key; `permissions` is null where it is not restricted."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    prefix = serializers.CharField()
    permissions = serializers.ListField(child=serializers.CharField(), allow_null=True)
    expires_at = serializers.DateTimeField(allow_null=True)


class MeOut(serializers.Serializer[Any]):
    """Who calls."""

    organisation = OrganisationRef()
    member = MeMemberOut()
    key = MeKeyOut(allow_null=True)
    permissions = serializers.SerializerMethodField()

    def get_permissions(self, actor: Actor) -> list[dict[str, str]]:
        """By role and key; grants on single objects come on top."""
        scopes = [(permission, scope_of(actor, permission)) for permission in Permission]
        return [{"permission": p.value, "scope": s.value} for p, s in scopes if s is not Scope.NONE]


class Me(Endpoint):
    @describe("Accounts", answer=MeOut, etag=True, operation_id="me")
    def get(self, request: Request) -> Response:
        """Who is calling, in which organisation, with which permissions."""
        return self.answer(self.actor, MeOut)
