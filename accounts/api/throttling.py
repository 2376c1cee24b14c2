"""How many requests one key or session may make (API_RATE), and how many wrong keys one address may try.

Counted in fixed windows in the shared cache, so that every process sees one count. The counting is one step where the
cache has one (Redis), and under the database's write lock on SQLite; on PostgreSQL with the database's cache two
requests at the very same time may count as one.
"""

import time
from typing import Any

from django.core.cache import cache
from django.db import connection, transaction
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from core.errors import Throttled
from core.limits import LIMITS


class ActorRateThrottle(SimpleRateThrottle):
    """Counts by key, else by member; beyond the rate the answer is 429 with `Retry-After`."""

    scope = "actor"

    def allow_request(self, request: Request, view: Any) -> bool:
        actor: Any = request.auth
        number, seconds = self.parse_rate(self.rate)
        if actor is None or number is None or seconds is None:
            return True
        who = f"key:{actor.key.pk}" if actor.key else f"member:{actor.member_id}"
        require_rate(f"api:{who}", number=number, seconds=seconds)
        return True


def count_failed_authentication(request: Request) -> None:
    """Count a wrong key; raise Throttled where this address has sent too many in the last minute.

    Good keys are never refused for it: an address may be a whole office, and keys are too long to be guessed.
    """
    address = request.META.get("REMOTE_ADDR", "")
    require_rate(f"wrong-key:{address}", number=LIMITS.wrong_keys_a_minute, seconds=60)


def require_rate(name: str, *, number: int, seconds: int) -> None:
    """Count one use of `name`; raise Throttled beyond `number` uses in this window of `seconds`."""
    now = time.time()
    window = int(now // seconds)
    if _count(f"rate:{name}:{window}", seconds) > number:
        raise Throttled(seconds=max(1, int((window + 1) * seconds - now) + 1))


def _count(name: str, seconds: int) -> int:
    if connection.vendor == "sqlite":
        # The database's cache counts by reading and writing: the write lock makes that one step.
        with transaction.atomic():
            return _added(name, seconds)
    return _added(name, seconds)


def _added(name: str, seconds: int) -> int:
    """One more, and how many that makes. Counting up comes first: all but the first of a window end there."""
    try:
        return cache.incr(name)
    except ValueError:
        return 1 if cache.add(name, 1, timeout=seconds + 1) else cache.incr(name)
