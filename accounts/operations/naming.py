"""What every operation on accounts asks of names and addresses that people type."""

import unicodedata
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils.translation import gettext as _

from core.errors import Invalid
from core.limits import LIMITS

NOT_TEXT = ("Cc", "Cs")  # control characters (NUL breaks PostgreSQL) and half surrogates (cannot be encoded)


def is_text(value: str) -> bool:
    """Whether both databases can hold it: no control characters, no half surrogates."""
    return all(unicodedata.category(character) not in NOT_TEXT for character in value)


def clean_name(value: Any, *, field: str = "name", most: int = LIMITS.name_characters) -> str:
    """The name on one line without surrounding space; raises `Invalid` where none is left or it is too long."""
    name = " ".join(value.split()) if isinstance(value, str) else ""
    if not name:
        raise Invalid.at(field, _("Enter a name."))
    if not is_text(name):
        raise Invalid.at(field, _("A name cannot hold control characters."))
    if len(name) > most:
        raise Invalid.at(field, _("At most %(most)d characters.") % {"most": most})
    return name


def clean_email(value: Any, *, field: str = "email") -> str:
    """The address in lower case, since one mailbox is one user; raises `Invalid` where it is none."""
    email = value.strip().lower() if isinstance(value, str) else ""
    try:
        validate_email(email)
    except ValidationError:
        raise Invalid.at(field, _("Enter an e-mail address.")) from None
    if len(email) > 254 or not is_text(email):
        raise Invalid.at(field, _("Enter an e-mail address."))
    return email
