"""What a monthly budget may be, whoever it belongs to: an organisation, an agent (PL-25)."""

from decimal import Decimal

from django.utils.translation import gettext as _

from core.errors import Problem
from core.limits import LIMITS

CENTS = Decimal("0.01")


def budget_problems(value: Decimal | None) -> list[Problem]:
    """What is wrong with an amount of USD a month, at `monthly_budget`; None takes the bound away."""
    most = LIMITS.monthly_budget
    if value is None or (value.is_finite() and 0 <= value <= most and value == value.quantize(CENTS)):
        return []
    words = _("An amount in USD from 0 to %(most)s, with at most two decimal places.")
    return [Problem("monthly_budget", words % {"most": f"{most:,}"})]
