"""Callers of the API for tests: with a key, with a session, with neither."""

import json
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.actor import Actor
from accounts.models import ApiKey, Member
from accounts.operations.api_keys import issue_api_key

PREFIX = "/api/v1"


class ApiClient:
    """`ApiClient(key).post("/members", {...}, idempotency_key="x")`: JSON in, the response out, below /api/v1."""

    def __init__(self, key: str = "", *, client: Client | None = None) -> None:
        self.client = client or Client()
        self.key = key

    def send(self, method: str, path: str, body: Any = None, *, raw: bytes | None = None, **headers: str) -> Any:
        """Headers are named with underscores. `raw` is sent as it is."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.key:
            sent.setdefault("Authorization", f"Bearer {self.key}")
        content_type = sent.pop("content-type", "application/json")
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        return self.client.generic(method, PREFIX + path, data, content_type=content_type, headers=sent)

    def get(self, path: str, **headers: str) -> Any:
        return self.send("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("POST", path, body, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Any:
        return self.send("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Any:
        return self.send("DELETE", path, **headers)


def key_of(member: Member, permissions: Iterable[str] | None = None) -> str:
    """A fresh key of the member; the raw secret."""
    return issue_api_key(Actor.of_member(member), name="test", permissions=permissions).raw


def client_of(member: Member, permissions: Iterable[str] | None = None) -> ApiClient:
    return ApiClient(key_of(member, permissions))


def end_key(raw: str, **change: Any) -> str:
    """Change the key's row: `expires_at` or `revoked_at`; the raw secret."""
    ApiKey.objects.filter(prefix=raw[:12]).update(**change)
    return raw


def revoked_key(member: Member) -> str:
    return end_key(key_of(member), revoked_at=timezone.now())


def expired_key(member: Member) -> str:
    return end_key(key_of(member), expires_at=timezone.now() - timedelta(seconds=1))


def stable(response: Any) -> tuple[int, bytes, dict[str, str]]:
    """Status, bytes and headers without what differs with every request."""
    headers = {name: value for name, value in response.headers.items() if name != "X-Request-Id"}
    return response.status_code, response.content, headers
