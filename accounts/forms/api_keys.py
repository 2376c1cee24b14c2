"""The form that issues an API key."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.permissions import SENTENCES, Permission
from core.limits import LIMITS

LIVES = [("30", _("30 days")), ("90", _("90 days")), ("365", _("One year")), ("", _("No expiry"))]


class ApiKeyForm(forms.Form):
    """A name, how long it lives, and whether it may do all or some of what its issuer may."""

    name = forms.CharField(
        label=_("Name"), max_length=LIMITS.name_characters, help_text=_("Where it is used, such as “nightly import”.")
    )
    days = forms.ChoiceField(label=_("Expires after"), choices=LIVES, initial="90", required=False)
    restricted = forms.ChoiceField(
        label=_("May do"),
        choices=[("", _("Everything I may do")), ("yes", _("Only what is ticked here"))],
        widget=forms.RadioSelect,
        required=False,
    )
    permissions = forms.MultipleChoiceField(label=_("Permissions"), widget=forms.CheckboxSelectMultiple, required=False)

    def __init__(self, *args: Any, offered: Iterable[Permission], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(permission.value, f"{permission.value}: {SENTENCES[permission]}") for permission in offered]
        self.fields["permissions"].choices = choices  # type: ignore[attr-defined]

    def clean_days(self) -> datetime | None:
        """The days as the moment they end."""
        days = self.cleaned_data["days"]
        return timezone.now() + timedelta(days=int(days)) if days else None

    def wanted(self) -> dict[str, Any]:
        """What the operation takes."""
        given = self.cleaned_data
        permissions = given["permissions"] if given["restricted"] else None
        return {"name": given["name"], "expires_at": given["days"], "permissions": permissions}
