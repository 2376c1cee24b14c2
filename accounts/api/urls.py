"""The endpoints of accounts under /api/v1."""

from django.urls import URLPattern, path

from accounts.api import api_keys, audit, me, members
from accounts.api import schema as schema  # registers how the schema names our credentials

urlpatterns: list[URLPattern] = [
    path("me", me.Me.as_view(), name="api_me"),
    path("organisation", me.OrganisationInUse.as_view(), name="api_organisation"),
    path("members", members.MemberList.as_view(), name="api_members"),
    path("members/<id:member_id>", members.MemberDetail.as_view(), name="api_member"),
    path("invitations", members.InvitationList.as_view(), name="api_invitations"),
    path("invitations/<id:invitation_id>", members.InvitationDetail.as_view(), name="api_invitation"),
    path("api-keys", api_keys.ApiKeyList.as_view(), name="api_api_keys"),
    path("api-keys/<id:key_id>", api_keys.ApiKeyDetail.as_view(), name="api_api_key"),
    path("audit", audit.AuditList.as_view(), name="api_audit"),
]
