"""How django-allauth works here: no sign-up without an invitation, encrypted secrets, and the audit log is told."""

from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.operations.mail import mail_is_set_up
from accounts.operations.security import record_failed_sign_in, record_security_event
from core.encryption import decrypt, encrypt
from core.errors import Throttled

LOCKED_SECONDS = 300  # the longest window of ACCOUNT_RATE_LIMITS["login_failed"]

# What allauth tells a user by mail is what the audit log is told.
AUDITED = {
    "account/email/password_changed": "user.password_changed",
    "account/email/password_set": "user.password_changed",
    "account/email/password_reset": "user.password_reset",
    "mfa/email/totp_activated": "user.two_factor_on",
    "mfa/email/totp_deactivated": "user.two_factor_off",
    "mfa/email/recovery_codes_generated": "user.recovery_codes_made",
    "socialaccount/email/account_connected": "user.single_sign_on_connected",
    "socialaccount/email/account_disconnected": "user.single_sign_on_removed",
}


class AccountAdapter(DefaultAccountAdapter):
    """Accounts come from the set-up page and from invitations only (PL-1)."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """Rate limits count by it: read once for all, behind trusted proxies only (core/middleware.py)."""
        return str(request.META.get("REMOTE_ADDR", ""))

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """No "Signed in as …": the page that follows says it."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Too many failures of one account or address are a 429 that says when to try again (PL-9)."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            raise Throttled(LOCKED_SECONDS, _("Too many failed attempts. Try again in five minutes.")) from None

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        record_failed_sign_in(str(credentials.get("email", "")), address=self.get_client_ip(request))

    def post_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> Any:
        record_security_event(user, "user.signed_in", address=self.get_client_ip(request))
        return super().post_login(request, user, **kwargs)

    def send_notification_mail(self, template_prefix: str, user: Any, *args: Any, **kwargs: Any) -> None:
        if template_prefix in AUDITED and isinstance(user, User):
            record_security_event(user, AUDITED[template_prefix], address=self.get_client_ip(self.request))
        super().send_notification_mail(template_prefix, user, *args, **kwargs)

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Under BASE_URL: the link must not lead to a host or a port that whoever asked for it named."""
        path = urlsplit(super().get_reset_password_from_key_url(key)).path
        return f"{settings.BASE_URL}{path}"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Mail with a link goes out through a server or not at all: a log must not hold it."""
        if mail_is_set_up():
            super().send_mail(template_prefix, email, context)


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """OpenID Connect signs in users that exist, matched by an address that the provider has verified; it makes none."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return False


class MfaAdapter(DefaultMFAAdapter):
    """Two-factor secrets under our own keys."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)
