"""Requests and tokens a minute of one provider key, counted in the shared cache (EV-D22). Needs the database's thread.

The window slides: of the minute before counts the part that is not yet a minute old.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.cache import cache
from django.db import connection, transaction

MINUTE = 60
KEPT_SECONDS = 3 * MINUTE


@dataclass(frozen=True)
class Rates:
    """What a key may take a minute; None without a bound."""

    requests: int | None = None
    tokens: int | None = None

    def __bool__(self) -> bool:
        return self.requests is not None or self.tokens is not None


def take(name: str, rates: Rates, tokens: int, now: float) -> float:
    """Count one request of about so many tokens, and give 0; or, where it is too much, seconds until to ask again."""
    minute, share = int(now // MINUTE), 1 - now % MINUTE / MINUTE
    wanted = {"requests": (rates.requests, 1), "tokens": (rates.tokens, tokens)}
    with _alone(name):
        for kind, (most, more) in wanted.items():
            if most is None:
                continue
            before, taken = (int(cache.get(_key(name, kind, at), 0)) for at in (minute - 1, minute))
            used = before * share + taken
            # A request of more tokens than a minute has goes alone, or it never would.
            if used > 0 and used + more > most:
                return min(max(MINUTE * more / most, 0.05), float(MINUTE))
        for kind, (most, more) in wanted.items():
            if most is not None:
                _add(_key(name, kind, minute), more)
    return 0.0


def correct(name: str, more: int, now: float) -> None:
    """So many tokens more than was thought, or fewer, went through."""
    with _alone(name):
        _add(_key(name, "tokens", int(now // MINUTE)), more)


def _key(name: str, kind: str, minute: int) -> str:
    return f"{name}:{kind}:{minute}"


def _add(key: str, more: int) -> None:
    cache.set(key, max(int(cache.get(key, 0)) + more, 0), KEPT_SECONDS)


@contextmanager
def _alone(name: str) -> Iterator[None]:
    """The cache counts by reading and writing; one after the other does so for one key."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [name])
        yield
