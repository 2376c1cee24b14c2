"""The addresses of django-allauth that Casebook uses: no sign-up, no changing of addresses, no passkeys."""

from allauth.account import views as account
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from allauth.socialaccount import views as social
from allauth.socialaccount.providers.openid_connect import views as openid_connect
from allauth.usersessions import views as sessions
from django.conf import settings
from django.urls import URLPattern, path, re_path

urlpatterns: list[URLPattern] = [
    path("login/", account.login, name="account_login"),
    path("logout/", account.logout, name="account_logout"),
    path("inactive/", account.account_inactive, name="account_inactive"),
    path("reauthenticate/", account.reauthenticate, name="account_reauthenticate"),
    path("password/change/", account.password_change, name="account_change_password"),
    path("password/set/", account.password_set, name="account_set_password"),
    path("password/reset/", account.password_reset, name="account_reset_password"),
    path("password/reset/done/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        account.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
    path(
        "password/reset/key/done/",
        account.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path("sessions/", sessions.list_usersessions, name="usersessions_list"),
]

if settings.MFA_SUPPORTED_TYPES:
    urlpatterns += [
        path("2fa/", mfa.index, name="mfa_index"),
        path("2fa/authenticate/", mfa.authenticate, name="mfa_authenticate"),
        path("2fa/reauthenticate/", mfa.reauthenticate, name="mfa_reauthenticate"),
        path("2fa/totp/activate/", totp.activate_totp, name="mfa_activate_totp"),
        path("2fa/totp/deactivate/", totp.deactivate_totp, name="mfa_deactivate_totp"),
        path("2fa/recovery-codes/", recovery_codes.view_recovery_codes, name="mfa_view_recovery_codes"),
        path("2fa/recovery-codes/new/", recovery_codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
        path("2fa/recovery-codes/file/", recovery_codes.download_recovery_codes, name="mfa_download_recovery_codes"),
    ]

if settings.SOCIALACCOUNT_PROVIDERS:
    urlpatterns += [
        path("oidc/<str:provider_id>/login/", openid_connect.login, name="openid_connect_login"),
        path("oidc/<str:provider_id>/login/callback/", openid_connect.callback, name="openid_connect_callback"),
        path("sso/cancelled/", social.login_cancelled, name="socialaccount_login_cancelled"),
        path("sso/error/", social.login_error, name="socialaccount_login_error"),
        path("sso/refused/", social.signup, name="socialaccount_signup"),
        path("sso/connections/", social.connections, name="socialaccount_connections"),
    ]
