"""Finds what stands behind `Bearer` and `Basic`, in a header or in a sentence (DS-D62)."""

import base64
import binascii
import re
from collections.abc import Iterator

from datasets.logic.credentials.kind import Find
from datasets.logic.credentials.likeness import is_placeholder

BEARER = "bearer_token"
BASIC = "basic_auth"

_SCHEME = re.compile(
    r"(?P<scheme>[Bb]earer|BEARER|[Bb]asic|BASIC)(?:[ \t]{1,4}|%20|\+|:[ \t]{0,4})[\"'`*]{0,2}"
    r"(?P<value>[A-Za-z0-9][A-Za-z0-9._~+/-]{3,8192}+={0,2})"
)
_HEADER = re.compile(r"authorization[\\\"'`\]*]{0,6}[ \t]{0,4}[:=,][ \t]{0,4}[\\\"'`]{0,4}$", re.IGNORECASE)
_CURL_USER = re.compile(
    r"(?<=\s)(?:-u|--user)(?:[ \t]{0,4}|=)[\"']?[^\s:\"'$<{]{1,128}:(?P<password>[^\s\"'$<{][^\s\"']{2,128})"
)
_ENDS = re.compile(r"[\"'`\\,;\r\n)}\]*]|[ \t]*(?:$|\n|-[A-Za-z-])")
_HEADER_LENGTH = 40
_BEARER_LEAST = 8


def find_headers(text: str) -> Iterator[Find]:
    """Values of the two schemes, and the password after `curl -u user:`."""
    if "earer" in text or "asic" in text or "BEARER" in text or "BASIC" in text:
        for match in _SCHEME.finditer(text):
            kind = BEARER if match["scheme"][1] in "eE" else BASIC
            before = text[max(0, match.start() - _HEADER_LENGTH) : match.start()]
            in_header = _HEADER.search(before) is not None and _ENDS.match(text, match.end()) is not None
            believed = _is_bearer if kind == BEARER else _is_basic
            if believed(match["value"], in_header):
                yield Find(match.start("value"), match.end("value"), kind)
    if "curl" in text:
        for match in _CURL_USER.finditer(text):
            if not is_placeholder(match["password"]):
                yield Find(*match.span("password"), BASIC)


def _is_bearer(value: str, in_header: bool) -> bool:
    """In a header anything but a placeholder; in a sentence no word, and no short thing."""
    if is_placeholder(value):
        return False
    if in_header:
        return True
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return mixed and len(value.rstrip(".")) >= _BEARER_LEAST


def _is_basic(value: str, in_header: bool) -> bool:
    """Base64 of `user:password` (RFC 7617); in a header, base64 of anything."""
    if "." in value or "~" in value:
        return False
    if in_header and not is_placeholder(value):
        return True
    try:
        plain = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return False
    return ":" in plain and plain.isprintable()
