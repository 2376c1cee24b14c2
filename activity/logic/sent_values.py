"""Reading single values of a run that an integrator sends: texts, numbers, money, times; each with what is wrong."""

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from agents.logic.usage import Usage, read_usage
from core.limits import LIMITS
from core.problems import Problem, gettext_noop
from core.texts import too_long, wrong_type

Found = tuple[Any, list[Problem]]
Wrong = list[Problem]

NOT_TEXT = gettext_noop("This must be text, not %(type)s.")
NOT_NUMBER = gettext_noop("This must be a number from 0 up, not %(type)s.")
NEGATIVE = gettext_noop("This must be a number from 0 up.")
TOO_LARGE = gettext_noop("This number is too large.")
EMPTY = gettext_noop("This may not be empty.")
NOT_TIME = gettext_noop("This must be a time such as 2026-11-30T08:00:00Z.")
NO_ZONE = gettext_noop("Give the time with its time zone.")
NO_TOKENS = gettext_noop("No number of tokens that is known here was found: such as input_tokens or prompt_tokens.")

# As far as the columns hold them; the sums of a thousand steps still fit.
MOST_TOKENS = 10**15
MOST_USD = 10**7
MOST_SECONDS = 10**9
TOKEN_NAMES = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens", "cache_read_input_tokens")
OWN_TOKEN_NAMES = ("input_tokens", "output_tokens", "cached_tokens")
CENT_OF_A_MICRODOLLAR = Decimal("0.0000000001")


def read_text(value: Any, limit: int, *, name: str, wrong: Wrong, blank: bool = False) -> str:
    """A text of at most `limit` characters; null counts as none. Not blank unless that is allowed."""
    if value is None:
        return ""
    if not isinstance(value, str):
        wrong.append(wrong_type(NOT_TEXT, value).under(name))
    elif len(value) > limit:
        wrong.append(too_long(limit, len(value)).under(name))
    elif not blank and not value.strip():
        wrong.append(Problem(name, EMPTY))
    else:
        return value
    return ""


def read_number(value: Any, most: float, *, name: str, wrong: Wrong) -> float | None:
    """A number from 0 up; null is not known, and not 0 (BC-38)."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        wrong.append(wrong_type(NOT_NUMBER, value).under(name))
    elif value < 0 or not math.isfinite(value):
        wrong.append(Problem(name, NEGATIVE))
    elif value > most:
        wrong.append(Problem(name, TOO_LARGE))
    else:
        return value
    return None


def read_money(value: Any, *, name: str, wrong: Wrong) -> Decimal | None:
    """An amount of USD, to the last digit that is written."""
    number = read_number(value, MOST_USD, name=name, wrong=wrong)
    return None if number is None else as_money(Decimal(repr(number)))


def as_money(amount: Decimal) -> Decimal:
    """The amount as far as the column holds it."""
    return amount.quantize(CENT_OF_A_MICRODOLLAR)


def read_seconds(item: Mapping[str, Any], wrong: Wrong) -> float | None:
    """How long something took: `seconds`, or `latency_ms`; not both."""
    milliseconds = item.get("latency_ms")
    if milliseconds is None:
        return read_number(item.get("seconds"), MOST_SECONDS, name="seconds", wrong=wrong)
    if item.get("seconds") is not None:
        wrong.append(Problem("latency_ms", gettext_noop("Give the time it took once: as seconds or as latency_ms.")))
    number = read_number(milliseconds, MOST_SECONDS, name="latency_ms", wrong=wrong)
    return None if number is None else number / 1000


def read_tokens(item: Mapping[str, Any], wrong: Wrong) -> Usage | None:
    """Tokens: a provider's `usage` in its own shape, or our own three names (BC-37); None where nobody said them."""
    sent = item.get("usage")
    own = {name: item[name] for name in OWN_TOKEN_NAMES if item.get(name) is not None}
    if sent is None:
        return _own_tokens(own, wrong) if own else None
    if own:
        wrong.append(Problem("usage", gettext_noop("Give the tokens once: as usage or by name.")))
    if not isinstance(sent, Mapping):
        wrong.append(wrong_type(gettext_noop("Usage is an object, not %(type)s."), sent).under("usage"))
        return None
    before = len(wrong)
    for name in TOKEN_NAMES:
        if name in sent:
            _read_count(sent[name], name=f"usage.{name}", wrong=wrong)
    found = read_usage(sent)
    if found is None and sent and len(wrong) == before:
        wrong.append(Problem("usage", NO_TOKENS))
    return found


def _own_tokens(own: Mapping[str, Any], wrong: Wrong) -> Usage:
    counts = {name: _read_count(own.get(name), name=name, wrong=wrong) or 0 for name in OWN_TOKEN_NAMES}
    if counts["cached_tokens"] > counts["input_tokens"]:
        text = gettext_noop("Cached tokens are a part of the input tokens, so they cannot be more.")
        wrong.append(Problem("cached_tokens", text))
    return Usage(counts["input_tokens"], counts["cached_tokens"], counts["output_tokens"])


def _read_count(value: Any, *, name: str, wrong: Wrong) -> int | None:
    if isinstance(value, float):
        wrong.append(Problem(name, gettext_noop("This must be a whole number.")))
        return None
    found = read_number(value, MOST_TOKENS, name=name, wrong=wrong)
    return None if found is None else int(found)


def read_time(value: Any, *, name: str, wrong: Wrong) -> datetime | None:
    """A moment in UTC, from ISO 8601 with its zone. One in the future is taken: clocks differ."""
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) and len(value) <= 40 else None
        if moment is None or "T" not in value.upper().replace(" ", "T"):
            wrong.append(Problem(name, NOT_TIME))
        elif moment.tzinfo is None:
            wrong.append(Problem(name, NO_ZONE))
        elif not 1970 <= moment.year <= 9000:
            wrong.append(Problem(name, NOT_TIME))
        else:
            return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        wrong.append(Problem(name, NOT_TIME))
    return None


def at_most_external(value: Any, *, name: str, wrong: Wrong) -> str | None:
    """An integrator's own id, or None where none was sent."""
    if value is None:
        return None
    return read_text(value, LIMITS.external_id_characters, name=name, wrong=wrong) or None
