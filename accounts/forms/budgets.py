"""The field of a monthly budget, an organisation's or an agent's (PL-25)."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.limits import LIMITS


def budget_field(help_text: Any) -> forms.DecimalField:
    """An amount of USD a month; empty means no bound."""
    return forms.DecimalField(
        label=_("Monthly budget in USD"),
        required=False,
        min_value=Decimal(0),
        max_value=Decimal(LIMITS.monthly_budget),
        max_digits=12,
        decimal_places=2,
        help_text=help_text,
    )
