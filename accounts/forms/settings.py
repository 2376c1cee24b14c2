"""The forms of a person's own settings and of the organisation."""

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.limits import LIMITS


class AccountForm(forms.Form):
    """Name, language, theme, height of table rows."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LIMITS.name_characters,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=[("", _("As the browser asks")), *settings.LANGUAGES], required=False
    )
    theme = forms.ChoiceField(label=_("Theme"), choices=User.Theme.choices, widget=forms.RadioSelect)
    comfortable_rows = forms.BooleanField(label=_("Taller table rows"), required=False)


class OrganisationForm(forms.Form):
    """The organisation's name."""

    name = forms.CharField(label=_("Name"), max_length=LIMITS.name_characters)
