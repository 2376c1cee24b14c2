"""Reading single values of a draft from outside: texts, numbers, names, addresses that the server calls (PL-26)."""

import math
import re
from collections.abc import Callable, Collection
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from core.addresses import is_public, same_host
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import Found, plain_lines, text_problems, wrong_type

Reader = Callable[[Any], Found]

SECRET_NAME = re.compile(r"[A-Za-z0-9_.-]+")
SPACE = re.compile(r"\s")


def read_words(value: Any, most: int) -> Found:
    """A text, line ends as they are stored; left out or null is empty."""
    if value is None:
        return "", []
    if not isinstance(value, str):
        return "", [wrong_type(gettext_noop("This must be text, not %(type)s."), value)]
    text = plain_lines(value)
    return text, text_problems(text, most)


def read_line(value: Any, most: int) -> Found:
    """A text on one line, without space around it."""
    text, problems = read_words(value, most)
    text = text.strip()
    if not problems and not text.isprintable():
        problems = [Problem("", gettext_noop("This must stand on one line, without control characters."))]
    return text, problems


def read_flag(value: Any) -> Found:
    """True or false; left out or null is false."""
    if isinstance(value, bool) or value is None:
        return bool(value), []
    return False, [Problem("", gettext_noop("This is true or false."))]


def read_whole(value: Any, default: int, most: int) -> Found:
    """A whole number from 1; left out or null is the default."""
    if value is None:
        return default, []
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most:
        return value, []
    return default, [Problem("", gettext_noop("This is a whole number from 1 to %(most)d."), {"most": most})]


def read_temperature(value: Any) -> Found:
    """A number from 0 to 2, or null for what the model takes by itself."""
    if value is None:
        return None, []
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and 0 <= value <= 2:
        return value, []
    return None, [Problem("", gettext_noop("This is a number from 0 to 2, or nothing for the model's own."))]


def read_id(value: Any) -> Found:
    """An id in its one spelling."""
    try:
        return str(UUID(value)), []
    except (ValueError, TypeError, AttributeError):
        return "", [Problem("", gettext_noop("This is no id."))]


def read_secret_name(value: Any) -> Found:
    """The name of a secret; empty for none."""
    name, problems = read_line(value, LIMITS.secret_name_characters)
    if name and not problems and not SECRET_NAME.fullmatch(name):
        words = gettext_noop("The name of a secret has letters from a to z, digits, hyphens, dots and underscores.")
        problems = [Problem("", words)]
    return name, problems


def read_address(value: Any, allowed_hosts: Collection[str]) -> Found:
    """An address that the server will call; empty while none is known.

    https alone, and no private address, but where the operator allows the host by name (PL-26). What a name resolves
    to is asked at each call, not here.
    """
    address, problems = read_line(value, LIMITS.url_characters)
    if not address or problems:
        return address, problems
    host = _host(address)
    if not host or SPACE.search(address):
        words = gettext_noop("Enter an address that begins with https://, without user name and fragment.")
        return address, [Problem("", words)]
    if host in {same_host(allowed) for allowed in allowed_hosts}:
        return address, []
    if urlsplit(address).scheme != "https":
        return address, [Problem("", gettext_noop("Only addresses that begin with https:// are called."))]
    if host == "localhost" or host.endswith(".localhost") or (_is_number(host) and not is_public(host)):
        return address, [Problem("", gettext_noop("Private addresses are not called."))]
    return address, []


def _host(address: str) -> str:
    """The host of a well-formed web address, or nothing."""
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - raises where it is none
        host = parts.hostname
    except ValueError:
        return ""
    wrong = parts.scheme not in ("https", "http") or "@" in parts.netloc or "#" in address
    return "" if wrong or not host else same_host(host)


def _is_number(host: str) -> bool:
    """Whether it is written as an address of IP and not as a name: no top-level domain is a number (RFC 3696, 2)."""
    return ":" in host or host.rpartition(".")[2].isdigit() or host.rpartition(".")[2].startswith("0x")
