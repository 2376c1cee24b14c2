"""`Idempotency-Key`, handled once around every write of the API and not in each view (PL-42)."""

import hashlib
import json
import re
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.actor import Actor
from accounts.operations.idempotent_requests import (
    FirstAnswer,
    claim_request,
    hold_request,
    release_request,
    remember_answer,
)
from core.errors import Invalid
from core.limits import LIMITS

if TYPE_CHECKING:
    from accounts.api.endpoint import Endpoint

Handler = Callable[..., Response]
PRINTABLE = re.compile(r"[\x21-\x7e]+")


def once(handler: Handler) -> Handler:
    """Run a write in one transaction; with an `Idempotency-Key`, at most once.

    The body is read before the transaction begins, and what the view prepares from it, so that neither a slow upload
    nor a long reading holds a lock. Only what succeeded (2xx) is remembered, in the same transaction as the change,
    so both exist or neither.
    """

    @wraps(handler)
    def handle(view: "Endpoint", request: Request, *args: Any, **kwargs: Any) -> Response:
        key = _key_of(request)
        request.data  # noqa: B018 (reads the body)
        if key is None or not view.acts_before:
            view.prepared = view.prepare(request, *args, **kwargs)
            return _in_transaction(handler, view, request, key, *args, **kwargs)
        is_first = hold_request(view.actor, key=key, fingerprint=_fingerprint(view.actor, request))
        try:
            view.prepared = view.prepare(request, *args, **kwargs) if is_first else None
            return _in_transaction(handler, view, request, key, *args, **kwargs)
        finally:
            if is_first:
                release_request(view.actor, key=key)

    return handle


@transaction.atomic
def _in_transaction(
    handler: Handler, view: "Endpoint", request: Request, key: str | None, *args: Any, **kwargs: Any
) -> Response:
    if key is None:
        return _undone_if_refused(handler(view, request, *args, **kwargs))
    claimed = claim_request(view.actor, key=key, fingerprint=_fingerprint(view.actor, request))
    if isinstance(claimed, FirstAnswer):
        view.before_replay(request, *args, **kwargs)
        return _again(claimed)
    response = _undone_if_refused(handler(view, request, *args, **kwargs))
    if response.status_code < 300:
        remember_answer(claimed, _kept(response))
    return response


def _key_of(request: Request) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return None
    if len(key) > LIMITS.idempotency_key_characters or not PRINTABLE.fullmatch(key):
        words = _("It must be 1 to %(most)d printable ASCII characters.")
        raise Invalid.at("Idempotency-Key", words % {"most": LIMITS.idempotency_key_characters})
    return key


def _fingerprint(actor: Actor, request: Request) -> str:
    """The SHA-256 of credential, method, address, precondition and body: what makes it the same request."""
    key = actor.key
    parts = (
        str(key.pk) if key else "session",
        request.method,
        request.get_full_path(),
        request.headers.get("If-Match", ""),
        getattr(request._request, "body_digest", ""),
    )
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _undone_if_refused(response: Response) -> Response:
    if response.status_code >= 300:
        transaction.set_rollback(True)
    return response


def _kept(response: Response) -> FirstAnswer:
    headers = {name: value for name, value in response.headers.items() if name != "Content-Type"}
    return FirstAnswer(response.status_code, JSONRenderer().render(response.data).decode(), headers)


def _again(first: FirstAnswer) -> Response:
    data = json.loads(first.body) if first.body else None
    return Response(data, status=first.status, headers={**first.headers, "Idempotent-Replayed": "true"})
