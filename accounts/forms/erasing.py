"""The form that asks for a name before a person is erased."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import Member


class ErasePersonForm(forms.Form):
    """What cannot be undone wants to be typed: the name as the dialog shows it."""

    name = forms.CharField(
        label=_("Type the name to confirm"),
        error_messages={"required": _("Type the name as it stands in the title.")},
    )

    def __init__(self, *args: Any, member: Member, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.member = member

    def clean_name(self) -> str:
        if self.cleaned_data["name"].strip() != str(self.member).strip():
            raise forms.ValidationError(_("This is not the name of the person."))
        return str(self.member)
