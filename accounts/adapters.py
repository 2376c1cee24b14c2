"""How django-allauth works here: nobody signs up without an invitation, secrets are encrypted at rest."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.http import HttpRequest

from core.encryption import decrypt, encrypt


class AccountAdapter(DefaultAccountAdapter):
    """Accounts come from the set-up page and from invitations only (PL-1)."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False


class SocialAccountAdapter(DefaultSocialAccountAdapter):
    """OpenID Connect signs in users that exist; it makes none."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return False


class MfaAdapter(DefaultMFAAdapter):
    """Two-factor secrets under our own keys."""

    def encrypt(self, text: str) -> str:
        return encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return decrypt(encrypted_text)
