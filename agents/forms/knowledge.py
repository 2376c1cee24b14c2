"""The forms of knowledge bases; the operations check what they hold."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Visibility
from agents.models import KnowledgeBase
from core.limits import LIMITS


class KnowledgeForm(forms.Form):
    """Name and description."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LIMITS.name_characters,
        error_messages={"required": _("Give the knowledge base a name.")},
    )
    description = forms.CharField(
        label=_("Description"),
        required=False,
        max_length=LIMITS.description_characters,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("What the documents are about."),
    )

    @classmethod
    def of(cls, base: KnowledgeBase, data: Any = None) -> "KnowledgeForm":
        """The form of a base as it is, or with what was sent."""
        return cls(data, initial={name: getattr(base, name) for name in cls.base_fields})


class NewKnowledgeForm(KnowledgeForm):
    """What a new base begins with; its visibility changes on its page afterwards."""

    visibility = forms.ChoiceField(
        label=_("Who sees it"), choices=Visibility.choices, initial=Visibility.ORGANISATION, widget=forms.RadioSelect
    )


class DeleteKnowledgeForm(forms.Form):
    """Asks for the name before a base with documents goes."""

    name = forms.CharField(label=_("Type the name of the knowledge base to confirm"))

    def __init__(self, *args: Any, base: KnowledgeBase, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.base = base

    def clean_name(self) -> str:
        if self.cleaned_data["name"].strip() != self.base.name:
            raise forms.ValidationError(_("This is not the name of the knowledge base."))
        return self.base.name
