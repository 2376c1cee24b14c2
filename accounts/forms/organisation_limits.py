"""The form of an organisation's budget and retention."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.forms.budgets import budget_field
from core.limits import LIMITS


class LimitsForm(forms.Form):
    """What may be spent, and how long runs are kept. `confirmed` is asked for only where conversations would go."""

    monthly_budget = budget_field(
        _(
            "For all agents together, in a calendar month. Once it is spent, no model is called until the next month. "
            "Empty: no bound."
        )
    )
    retention_days = forms.IntegerField(
        label=_("Days to keep runs and conversations"),
        required=False,
        min_value=1,
        max_value=LIMITS.retention_days,
        help_text=_(
            "Production runs and conversations are deleted for good this many days after their last message, with "
            "messages and ratings. Cases and scores taken from them stay, and so do test runs. Empty: they are kept."
        ),
    )
    confirmed = forms.BooleanField(label=_("Delete these conversations"), required=False)

    def shortens(self, days_now: int | None) -> bool:
        """Whether the filled-in form keeps conversations for less time than now."""
        days: int | None = self.cleaned_data["retention_days"]
        return days is not None and (days_now is None or days < days_now)

    def limits(self) -> dict[str, Any]:
        """What the form changes."""
        return {name: self.cleaned_data[name] for name in ("monthly_budget", "retention_days")}
