"""How differences between two test runs are written: with their sign, and never as nothing where they are unknown."""

from decimal import Decimal

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from core.numbers import NOTHING, decimals, money
from evals.logic.results import Sum

register = template.Library()

MINUS, PLUS = "−", "+"
# Below it an amount is shown with its first digits and not as "less than a cent": answers cost fractions of one.
SMALL = Decimal("0.1")


@register.filter
def as_points(difference: float | None) -> str:
    """The difference of two rates in percentage points."""
    if difference is None:
        return NOTHING
    return _("%(points)s points") % {"points": _signed(difference * 100, 1, decimals(abs(difference) * 100, 1))}


@register.filter
def as_seconds_difference(seconds: float | None) -> str:
    """The difference of two durations."""
    if seconds is None:
        return NOTHING
    return _("%(seconds)s s") % {"seconds": _signed(seconds, 1, decimals(abs(seconds), 1))}


@register.filter
def as_exact_cost(cost: Sum) -> str:
    """The mean cost of an answer, with "at least" where the price of a part is unknown."""
    if cost.is_at_least and not cost.amount:
        return pgettext("cost", "unknown")
    shown = as_small_cost(cost.amount)
    return _("at least %(amount)s") % {"amount": shown} if cost.is_at_least else shown


@register.filter
def as_cost_difference(amount: Decimal | None) -> str:
    """The difference of two costs."""
    return NOTHING if amount is None else _signed(amount, 4, _small(abs(amount)))


@register.filter
def p_words(p: float) -> str:
    """To four places, as it is compared with 0.05; never as nothing."""
    return f"p < {decimals(0.0001, 4)}" if p < 0.00005 else f"p = {decimals(p, 4)}"


@register.filter
def as_small_cost(amount: Decimal | None) -> str:
    """What one answer cost, with enough digits to be compared with another."""
    if amount is None:
        return NOTHING
    return _small(amount) if amount else _("no cost")


def _small(amount: Decimal) -> str:
    return f"${decimals(amount, 4)}" if amount < SMALL else money(amount)


def _signed(value: float | Decimal, places: int, shown: str) -> str:
    """With its sign, unless it is shown as nothing."""
    if not round(value, places):
        return shown
    return f"{MINUS if value < 0 else PLUS}{shown}"
