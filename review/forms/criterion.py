"""The form that turns a reviewer's note into a criterion of the judge (RV-D36)."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.limits import LIMITS
from review.models import Scope
from review.queries.criteria import ToMake

Choices = list[tuple[str, Any]]


class CriterionForm(forms.Form):
    """`models` is empty where the judge has a model: then none is asked for."""

    criterion = forms.CharField(
        label=_("Criterion"),
        max_length=LIMITS.criterion_characters,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("Write it as a question that yes answers where the answer is good."),
        error_messages={"required": _("Write what the judge is to look at.")},
    )
    scope = forms.ChoiceField(label=_("Holds for"), choices=Scope.choices, widget=forms.RadioSelect)
    model = forms.ChoiceField(label=_("Model of the judge"), required=False)
    case_revision = forms.IntegerField(widget=forms.HiddenInput, required=False)
    mark = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, data: Any = None, *, begin: ToMake, mark: str, models: Choices) -> None:
        has_case = begin.case_revision is not None
        initial = {
            "criterion": begin.note,
            "scope": Scope.CASE if has_case else Scope.RUBRIC,
            "case_revision": begin.case_revision,
            "mark": mark,
        }
        super().__init__(data, initial=initial)
        self.fields["model"].choices = models  # type: ignore[attr-defined]
        if not models:
            del self.fields["model"]
        if not has_case:
            self.fields["scope"].choices = [(Scope.RUBRIC.value, Scope.RUBRIC.label)]  # type: ignore[attr-defined]

    @property
    def wanted(self) -> dict[str, Any]:
        """What `make_criterion` takes."""
        sent = self.cleaned_data
        return {
            "criterion": sent["criterion"],
            "scope": sent["scope"],
            "case_revision": sent["case_revision"],
            "model": sent.get("model") or None,
            "mark": sent["mark"] or None,
        }
