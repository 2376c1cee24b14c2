"""The forms that choose a member to share a dataset with or to hand it over to."""

from django import forms
from django.utils.translation import gettext_lazy as _


class OwnerForm(forms.Form):
    """A member, chosen among those a search found; the operation checks who it is."""

    member = forms.CharField(label=_("Member"), error_messages={"required": _("Choose a member.")})


class ShareForm(OwnerForm):
    """A member and how far they may go: only viewing and editing are offered (ACC-13)."""

    level = forms.ChoiceField(
        label=_("They can"),
        choices=[
            ("read", _("View: read its cases and versions, and export them")),
            ("edit", _("Edit: also change cases, import, share and delete")),
        ],
        initial="read",
        widget=forms.RadioSelect,
    )
