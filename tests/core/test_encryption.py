"""Secrets at rest: what is stored tells nothing, and old keys still read (PL-20)."""

import pytest
from cryptography.fernet import Fernet
from pytest_django import Settings

from core.encryption import Undecryptable, decrypt, encrypt

OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


def test_what_is_stored_holds_nothing_of_the_secret_and_reads_back_whole() -> None:
    stored = encrypt("sk-żółw-123")
    assert "123" not in stored
    assert decrypt(stored) == "sk-żółw-123"


def test_a_new_key_in_front_encrypts_and_the_old_one_still_reads(settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = (OLD,)
    stored = encrypt("secret")
    settings.ENCRYPTION_KEYS = (NEW, OLD)
    assert decrypt(stored) == "secret"
    assert Fernet(NEW).decrypt(encrypt("secret").encode()) == b"secret"


def test_without_its_key_a_secret_cannot_be_read_and_the_error_holds_nothing_of_it(settings: Settings) -> None:
    settings.ENCRYPTION_KEYS = (OLD,)
    stored = encrypt("secret")
    settings.ENCRYPTION_KEYS = (NEW,)
    with pytest.raises(Undecryptable) as caught:
        decrypt(stored)
    assert stored not in str(caught.value)
