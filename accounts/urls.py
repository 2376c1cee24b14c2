"""The console addresses of accounts: sign-in, set-up, members, invitations, keys, audit, account, organisation."""

from django.urls import URLPattern, URLResolver, include, path

from accounts.views import (
    api_keys,
    audit,
    dashboard,
    invitations,
    joining,
    members,
    organisation_limits,
    privacy,
    settings,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("account/", include("accounts.sign_in_urls")),
    path("dashboard/", dashboard.dashboard, name="dashboard"),
    path("setup/", joining.set_up_page, name="set_up"),
    path("invitations/<str:token>/", joining.invitation_accept, name="invitation_accept"),
    path("members/", members.member_list, name="member_list"),
    path("members/invitations/", invitations.invitation_list, name="invitation_list"),
    path("members/invitations/new/", invitations.invitation_new, name="invitation_new"),
    path("members/invitations/<uuid:invitation_id>/revoke/", invitations.invitation_revoke, name="invitation_revoke"),
    path("members/requests/", privacy.person_request_list, name="person_request_list"),
    path("members/requests/<uuid:request_id>/file/", privacy.person_export_file, name="person_export_file"),
    path("members/<uuid:member_id>/role/", members.member_role, name="member_role"),
    path("members/<uuid:member_id>/remove/", members.member_remove, name="member_remove"),
    path("members/<uuid:member_id>/erase/", privacy.member_erase, name="member_erase"),
    path("members/<uuid:member_id>/export/", privacy.member_export, name="member_export"),
    path("keys/", api_keys.api_key_list, name="api_key_list"),
    path("keys/new/", api_keys.api_key_new, name="api_key_new"),
    path("keys/<uuid:key_id>/revoke/", api_keys.api_key_revoke, name="api_key_revoke"),
    path("audit/", audit.audit_list, name="audit_list"),
    path("audit/export/", audit.audit_export, name="audit_export"),
    path("me/", settings.my_account, name="my_account"),
    path("me/preferences/", settings.my_preferences, name="my_preferences"),
    path("me/tour/", settings.my_tour, name="my_tour"),
    path("me/export/", privacy.my_export, name="my_export"),
    path("organisation/", settings.organisation, name="organisation"),
    path("organisation/limits/", organisation_limits.organisation_limits, name="organisation_limits"),
    path("organisation/new/", settings.organisation_new, name="organisation_new"),
    path("organisation/switch/", settings.organisation_switch, name="organisation_switch"),
    path("organisation/leave/", members.organisation_leave, name="organisation_leave"),
    path("permissions/", settings.permission_list, name="permission_list"),
]
