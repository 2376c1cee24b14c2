"""The dialog that resumes a test run: its cost limit, which may be raised (EV-D27, EV-D28)."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from evals.logic.choices import read_amount, written_amount
from evals.models import EvalRun


class ResumeForm(forms.Form):
    """The field is named as that of the API, so that a refusal finds its place."""

    max_cost_usd = forms.CharField(
        label=gettext_lazy("Cost limit in US dollars"),
        required=False,
        help_text=gettext_lazy("Of the whole run, with what was spent already. Empty for no limit."),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )

    def clean_max_cost_usd(self) -> Decimal | None:
        amount, problems = read_amount(self.cleaned_data["max_cost_usd"].strip() or None)
        if problems:
            raise forms.ValidationError([_(problem.text) % problem.values for problem in problems])
        return amount


def resume_form(run: EvalRun, data: Any = None) -> ResumeForm:
    """With the limit that the run has now."""
    limit = "" if run.max_cost is None else written_amount(run.max_cost)
    return ResumeForm(data, initial={"max_cost_usd": limit})
