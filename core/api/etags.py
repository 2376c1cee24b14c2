"""ETags: whether what a client has is still what there is (RFC 9110, 8.8.3 and 13.1).

A tag is a hash of the object's JSON as this caller sees it, so whatever changes the answer changes the tag.
"""

import hashlib
from typing import Any

from django.http import HttpRequest
from django.utils.http import parse_etags
from rest_framework.request import Request
from rest_framework.utils import json
from rest_framework.utils.encoders import JSONEncoder

from core.errors import Stale


def etag_of(data: Any) -> str:
    """The strong tag of a serializer's `data`."""
    text = json.dumps(data, cls=JSONEncoder, sort_keys=True, ensure_ascii=False)
    return f'"{hashlib.sha256(text.encode()).hexdigest()[:32]}"'


def has_it_already(request: Request | HttpRequest, etag: str) -> bool:
    """Whether `If-None-Match` names the tag: the answer is then 304 without a body."""
    wanted = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in wanted or etag in [tag.removeprefix("W/") for tag in wanted]


def require_match(request: Request | HttpRequest, data: Any) -> None:
    """Raise Stale (412) where the write's `If-Match` names another state than `data`, the present JSON of the object.

    Without the header nothing is asked. Weak tags never match. Call it with the row locked.
    """
    sent = request.headers.get("If-Match")
    if sent is None:
        return
    wanted = parse_etags(sent)
    if "*" not in wanted and etag_of(data) not in wanted:
        raise Stale
