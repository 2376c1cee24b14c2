"""The forms by which people come in: set-up, an invitation, accepting one."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib.auth.password_validation import password_validators_help_texts
from django.utils.translation import gettext_lazy as _

from accounts.permissions import ROLE_LABELS, ROLE_SENTENCES, Role
from core.limits import LIMITS


class PasswordField(forms.CharField):
    """A password that is being chosen, with the rules it must keep."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": "new-password"})
        super().__init__(label=_("Password"), strip=False, widget=widget, **kwargs)

    def get_bound_field(self, form: Any, field_name: str) -> Any:
        """The rules are read for each form: they are in the language of the request."""
        self.help_text = " ".join(password_validators_help_texts()[1:2])
        return super().get_bound_field(form, field_name)


class SetUpForm(forms.Form):
    """The first user and the first organisation."""

    organisation_name = forms.CharField(
        label=_("Organisation"), max_length=LIMITS.name_characters, help_text=_("Your team or company.")
    )
    name = forms.CharField(
        label=_("Your name"),
        max_length=LIMITS.name_characters,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.CharField(label=_("E-mail"), widget=forms.EmailInput(attrs={"autocomplete": "username"}))
    password = PasswordField()


class AcceptForm(forms.Form):
    """Who joins for the first time."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=LIMITS.name_characters,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    password = PasswordField()


class RoleChoice(forms.ChoiceField):
    """One of the roles, each with its sentence."""

    widget = forms.RadioSelect

    def offer(self, roles: Iterable[Role]) -> None:
        """Offer these roles only."""
        self.choices = [(role.value, f"{ROLE_LABELS[role]}: {ROLE_SENTENCES[role]}") for role in roles]


class InviteForm(forms.Form):
    """Whom to invite, as what. Offers only the roles that the actor may give."""

    email = forms.CharField(label=_("E-mail"), widget=forms.EmailInput(attrs={"autocomplete": "off"}))
    role = RoleChoice(label=_("Role"), initial=Role.MEMBER.value)

    def __init__(self, *args: Any, roles: Iterable[Role], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].offer(roles)  # type: ignore[attr-defined]


class RoleForm(forms.Form):
    """Another role for a member."""

    role = RoleChoice(label=_("Role"))

    def __init__(self, *args: Any, roles: Iterable[Role], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["role"].offer(roles)  # type: ignore[attr-defined]
