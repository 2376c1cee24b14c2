"""Secrets at rest: Fernet (AES-128-CBC with HMAC-SHA256) under the keys of ENCRYPTION_KEYS."""

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings


class Undecryptable(Exception):
    """None of the configured keys decrypts the value."""


def _cipher() -> MultiFernet:
    return MultiFernet([Fernet(key) for key in settings.ENCRYPTION_KEYS])


def encrypt(plain: str) -> str:
    """The value under the first key, as URL-safe text."""
    return _cipher().encrypt(plain.encode()).decode()


def decrypt(token: str) -> str:
    """The plain value, whichever configured key encrypted it; raises `Undecryptable`."""
    try:
        return _cipher().decrypt(token.encode()).decode()
    except InvalidToken:
        raise Undecryptable("no configured key decrypts this value") from None
