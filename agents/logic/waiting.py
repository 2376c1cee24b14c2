"""How long to wait before a model is asked again: what the provider says, else longer each time (SC-D43, BC-41)."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

# Seconds before the second, third and fourth try.
WAITS = (1.0, 4.0, 16.0)
TRIES = len(WAITS) + 1
LONGEST_WAIT = 60.0
AGAIN_STATUSES = frozenset({408, 429})


def worth_asking_again(status: int) -> bool:
    """Whether the same request may succeed later: too slow, too many, or the provider's own fault."""
    return status in AGAIN_STATUSES or 500 <= status < 600


def seconds_to_wait(tries: int, retry_after: str, now: datetime, jitter: float, most: int = TRIES) -> float | None:
    """Seconds before the next try after `tries` tries, or None where no further one is made.

    At most `most` tries are made in all. `retry_after` is the header's value, seconds or an HTTP date; one that asks
    for longer than LONGEST_WAIT ends the trying. `jitter`, from 0 to 1, spreads what many workers would otherwise ask
    at the same moment.
    """
    if tries >= min(most, TRIES):
        return None
    told = _told(retry_after, now)
    if told is None:
        return WAITS[tries - 1] * (1 + jitter / 4)
    return told if told <= LONGEST_WAIT else None


def _told(retry_after: str, now: datetime) -> float | None:
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
