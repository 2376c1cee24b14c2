"""Numbers as people read them: shares, money, lengths of time."""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

CENT = Decimal("0.01")


def percent(share: Any) -> str:
    """A share as a whole number of hundredths, rounded half up as in the console."""
    return f"{int(share * 100 + 0.5)}%" if isinstance(share, int | float) else "–"


def money(amount: Any, *, at_least: bool = False) -> str:
    """USD; an amount below a cent says so, and one that is not known is not 0 (EV-18)."""
    try:
        usd = Decimal(str(amount))
    except InvalidOperation:
        return "unknown"
    if at_least:
        return f"at least ${usd.quantize(CENT)}" if usd >= CENT else f"at least ${usd.normalize():f}"
    return "less than $0.01" if 0 < usd < CENT else f"${usd.quantize(CENT)}"


def spent(cost: Mapping[str, Any] | None) -> str:
    """An amount as the API gives it, with whether a part of it is not known."""
    if not cost:
        return "unknown"
    is_at_least = bool(cost.get("at_least"))
    if _is_nothing(cost.get("usd")):
        return "unknown" if is_at_least else "no cost"
    return money(cost.get("usd"), at_least=is_at_least)


def _is_nothing(amount: Any) -> bool:
    try:
        return Decimal(str(amount)) == 0
    except InvalidOperation:
        return False


def duration(seconds: Any) -> str:
    """A length of time in at most two units."""
    if not isinstance(seconds, int | float):
        return "unknown"
    if seconds < 1:
        return "less than 1 s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if rest else f"{minutes} min"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"
