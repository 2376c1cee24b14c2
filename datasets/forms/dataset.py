"""The forms of a dataset: a new one, its details, its deletion."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Visibility
from core.limits import LIMITS
from datasets.models import Dataset


class DetailsForm(forms.Form):
    """Name and description; the operation checks them."""

    name = forms.CharField(
        label=_("Name"), max_length=LIMITS.name_characters, error_messages={"required": _("Give the dataset a name.")}
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LIMITS.description_characters,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("What the questions are about, and which agent they test."),
    )

    @classmethod
    def of(cls, dataset: Dataset, data: Any = None) -> "DetailsForm":
        """The form of a dataset as it is, or with what was sent."""
        return cls(data, initial={name: getattr(dataset, name) for name in cls.base_fields})


class DatasetForm(DetailsForm):
    """What a new dataset begins with; its visibility changes on its page afterwards (ACC-2, ACC-3)."""

    visibility = forms.ChoiceField(
        label=_("Who sees it"), choices=Visibility.choices, initial=Visibility.ORGANISATION, widget=forms.RadioSelect
    )


class DeleteDatasetForm(forms.Form):
    """Asks for the name before a dataset goes (DS-D17)."""

    name = forms.CharField(label=_("Type the name of the dataset to confirm"), widget=forms.TextInput)

    def __init__(self, *args: Any, dataset: Dataset, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.dataset = dataset

    def clean_name(self) -> str:
        if self.cleaned_data["name"].strip() != self.dataset.name:
            raise forms.ValidationError(_("This is not the name of the dataset."))
        return self.dataset.name
