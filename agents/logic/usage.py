"""Usage: the tokens of one model call, read from whatever shape a provider sends, and what they cost (BC-37, PL-20)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

MILLION = Decimal(1_000_000)


@dataclass(frozen=True)
class Usage:
    """Tokens of a call. `input` counts all that was read, `cached` is the part of it that came from a cache."""

    input: int = 0
    cached: int = 0
    output: int = 0

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(self.input + other.input, self.cached + other.cached, self.output + other.output)


@dataclass(frozen=True)
class Prices:
    """USD per million tokens; `cached` is None where cached tokens cost as much as others."""

    input: Decimal
    output: Decimal
    cached: Decimal | None = None


def read_usage(sent: Mapping[str, Any] | None) -> Usage | None:
    """The usage in a provider's words, or None where it says nothing that can be read.

    OpenAI counts cached tokens inside `prompt_tokens` (or `input_tokens` with `input_tokens_details`). Anthropic
    counts them beside `input_tokens`, as `cache_read_input_tokens` and `cache_creation_input_tokens`.
    """
    if not isinstance(sent, Mapping):
        return None
    read = _number(sent, "prompt_tokens", "input_tokens")
    written = _number(sent, "completion_tokens", "output_tokens")
    if read is None and written is None:
        return None
    beside = _number(sent, "cache_read_input_tokens")
    if beside is not None:
        created = _number(sent, "cache_creation_input_tokens") or 0
        return Usage((read or 0) + beside + created, beside, written or 0)
    details = sent.get("prompt_tokens_details") or sent.get("input_tokens_details") or {}
    cached = _number(details, "cached_tokens") if isinstance(details, Mapping) else None
    return Usage(read or 0, min(cached or 0, read or 0), written or 0)


def cost_of(usage: Usage, prices: Prices) -> Decimal:
    """What a call cost, in USD, to the last digit."""
    cached_price = prices.input if prices.cached is None else prices.cached
    fresh = usage.input - usage.cached
    return (fresh * prices.input + usage.cached * cached_price + usage.output * prices.output) / MILLION


def sum_of_costs(costs: Iterable[Decimal | None]) -> Decimal | None:
    """What several calls cost together, in USD; None where there is none, or where that of one is not known."""
    each = list(costs)
    known = [cost for cost in each if cost is not None]
    return sum(known, Decimal(0)) if known and len(known) == len(each) else None


def _number(sent: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = sent.get(name)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None
