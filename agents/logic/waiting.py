"""How long to wait before a model is asked again: what the provider says, else longer each time (SC-D43, BC-41)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum

# Seconds before the second, third and further tries.
WAITS = (1.0, 4.0, 16.0)
ATTEMPT_WAITS = (1.0, 2.0, 4.0, 8.0)
TRIES = len(WAITS) + 1
LONGEST_WAIT = 60.0
# By so much of itself at the most is a wait made longer, so that those who wait do not all come back at one moment.
SPREAD = 0.2
AGAIN_STATUSES = frozenset({408, 429})
TOO_MANY = 429


class Patience(Enum):
    """How often a question is asked: of a call on its own (SC-D43), or of an attempt of a test run (EV-D23)."""

    CALL = "call"
    ATTEMPT = "attempt"

    @property
    def waits(self) -> tuple[float, ...]:
        return WAITS if self is Patience.CALL else ATTEMPT_WAITS


def worth_asking_again(status: int) -> bool:
    """Whether the same request may succeed later: too slow, too many, or the provider's own fault."""
    return status in AGAIN_STATUSES or 500 <= status < 600


def seconds_to_wait(
    tries: int,
    retry_after: str,
    now: datetime,
    jitter: float,
    most: int | None = None,
    patience: Patience = Patience.CALL,
) -> float | None:
    """Seconds before the next try after `tries` tries, or None where no further one is made.

    At most `most` tries are made in all. `retry_after` is the header's value, seconds or an HTTP date; one that asks
    for longer than LONGEST_WAIT ends the trying. `jitter`, from 0 to 1, spreads what many workers would otherwise ask
    at the same moment.
    """
    waits = patience.waits
    if tries > len(waits) or (most is not None and tries >= most):
        return None
    told = told_wait(retry_after, now)
    if told is None:
        return waits[tries - 1] * (1 + jitter * SPREAD)
    return told if told <= LONGEST_WAIT else None


def pause_seconds(strikes: int) -> float:
    """How long nothing is asked after so many refusals one after the other, where the provider does not say it."""
    return float(min(2 ** (min(strikes, 10) - 1), LONGEST_WAIT))


def told_wait(retry_after: str, now: datetime) -> float | None:
    """Seconds that a Retry-After header asks for; None where it says nothing that can be read."""
    try:
        seconds = float(retry_after)
    except ValueError:
        seconds = _until(retry_after, now)
    return seconds if 0 <= seconds < float("inf") else None


def _until(date: str, now: datetime) -> float:
    try:
        moment = parsedate_to_datetime(date)
    except ValueError:
        return -1
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max((moment - now).total_seconds(), 0)
