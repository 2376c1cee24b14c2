"""The forms of whatever has a name and a description: its details, a new one, its deletion by name (DS-D10, DS-D17)."""

from typing import Any, ClassVar, Self

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import NamedResource, Visibility
from core.limits import LIMITS


class DetailsForm(forms.Form):
    """Name and description; the operation checks them. A subclass says it in the words of its kind."""

    unnamed: ClassVar[Any]
    about: ClassVar[Any]

    name = forms.CharField(label=_("Name"), max_length=LIMITS.name_characters)
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LIMITS.description_characters,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].error_messages["required"] = self.unnamed
        self.fields["description"].help_text = self.about

    @classmethod
    def of(cls, thing: NamedResource, data: Any = None) -> Self:
        """The form of the thing as it is, or with what was sent."""
        return cls(data, initial={name: getattr(thing, name) for name in cls.base_fields})


class VisibilityForm(forms.Form):
    """Who sees a new thing; it changes on its page afterwards (ACC-2, ACC-3)."""

    visibility = forms.ChoiceField(
        label=_("Who sees it"), choices=Visibility.choices, initial=Visibility.ORGANISATION, widget=forms.RadioSelect
    )


class DeletionForm(forms.Form):
    """Asks for the name before the thing goes. A subclass says it in the words of its kind."""

    asked: ClassVar[Any]
    mistaken: ClassVar[Any]

    name = forms.CharField(widget=forms.TextInput)

    def __init__(self, *args: Any, thing: NamedResource, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.thing = thing
        self.fields["name"].label = self.asked

    def clean_name(self) -> str:
        if self.cleaned_data["name"].strip() != self.thing.name:
            raise forms.ValidationError(str(self.mistaken))
        return self.thing.name
