"""The forms that choose a member to share something with or to hand it over to."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class OwnerForm(forms.Form):
    """A member, chosen among those a search found; the operation checks who it is."""

    member = forms.CharField(label=_("Member"), error_messages={"required": _("Choose a member.")})


class ShareForm(OwnerForm):
    """A member and how far they may go: only viewing and editing are offered (ACC-13), in the words of the kind."""

    level = forms.ChoiceField(label=_("They can"), initial="read", widget=forms.RadioSelect)

    def __init__(self, *args: Any, can_read: Any, can_edit: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        level: Any = self.fields["level"]
        level.choices = [("read", can_read), ("edit", can_edit)]
