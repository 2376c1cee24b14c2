"""Numbers as people read them: money from one cent, shares, sizes."""

from decimal import ROUND_HALF_UP, Decimal

from django.utils.formats import number_format
from django.utils.translation import gettext as _

NOTHING = "–"


def _rounded(value: Decimal, places: int) -> str:
    """Rounded half up; Django's own formatting would cut the digits off instead."""
    step = Decimal(1).scaleb(-places)
    return number_format(value.quantize(step, rounding=ROUND_HALF_UP), places, force_grouping=True)


def count(value: int | None) -> str:
    """A whole number with separators between thousands; a dash for nothing."""
    return NOTHING if value is None else number_format(value, 0, use_l10n=True, force_grouping=True)


def decimals(value: Decimal | float | int | None, places: int = 1) -> str:
    """A number with the same precision whatever its value, so that a column lines up; a dash for nothing."""
    return NOTHING if value is None else _rounded(Decimal(str(value)), places)


def money(value: Decimal | float | int | None) -> str:
    """US dollars to the cent; what is above zero and below one cent is said so and never rounded to nothing."""
    if value is None:
        return NOTHING
    amount = Decimal(str(value))
    if 0 < amount < Decimal("0.01"):
        return _("less than $0.01")
    sign = "-" if amount < 0 else ""
    return f"{sign}${_rounded(abs(amount), 2)}"


def exact_money(value: Decimal) -> str:
    """US dollars with every digit that was given, to the cent at least: a limit is shown as it was written."""
    amount = value.normalize() + Decimal("0.00")
    return f"${_rounded(amount, -int(amount.as_tuple().exponent))}"


def percent(value: float | None, places: int = 0) -> str:
    """A share from 0 to 1 in percent; a dash for nothing, which is not the same as 0%."""
    return NOTHING if value is None else f"{_rounded(Decimal(str(value)) * 100, places)}%"


def file_size(value: int) -> str:
    """Bytes as B, KB or MB, powers of 1,024."""
    if value < 1024:
        return f"{value} B"
    if value < 1024 * 1024:
        return f"{_rounded(Decimal(value) / 1024, 0)} KB"
    return f"{_rounded(Decimal(value) / (1024 * 1024), 1)} MB"
