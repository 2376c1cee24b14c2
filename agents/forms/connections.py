"""The forms of connections and models; the operations check what they hold."""

from decimal import Decimal
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.utils.translation import gettext_lazy as _

from agents.logic.targets import Provider
from agents.models import Connection, LanguageModel
from agents.models.connection import ProviderChoice
from core.limits import LIMITS


def line(label: Any, most: int, help_text: Any = "", required: bool = False) -> forms.CharField:
    """A text on one line."""
    return forms.CharField(label=label, max_length=most, help_text=help_text, required=required)


def price(label: Any) -> forms.DecimalField:
    """USD per million tokens."""
    most = Decimal(LIMITS.model_price)
    return forms.DecimalField(
        label=label, required=False, min_value=Decimal(0), max_value=most, max_digits=12, decimal_places=6
    )


def rate(label: Any) -> forms.IntegerField:
    """How much may be sent a minute; empty without a bound."""
    return forms.IntegerField(label=label, required=False, min_value=1, max_value=LIMITS.rate_a_minute)


class ProviderFields(forms.Form):
    """Where models are asked, and with which key."""

    provider = forms.ChoiceField(label=_("Provider"), choices=ProviderChoice.choices)
    base_url = line(_("Address"), LIMITS.url_characters, _("Not needed for OpenAI itself."))
    api_version = line(_("API version"), LIMITS.api_version_characters, _("For Azure only, such as 2024-10-21."))
    key = forms.CharField(
        label=_("Key"),
        required=False,
        max_length=LIMITS.key_characters,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
        help_text=_("Stored encrypted and never shown again."),
    )
    requests_a_minute = rate(_("Requests a minute"))
    tokens_a_minute = rate(_("Tokens a minute"))

    @property
    def has_rates(self) -> bool:
        """Whether the rates hold something to be seen: a value or an error."""
        names = ("requests_a_minute", "tokens_a_minute")
        return any(self[name].value() not in (None, "") or self[name].errors for name in names)


class ConnectionForm(ProviderFields):
    """A connection that stands: an empty key means the stored one stays."""

    name = line(_("Name"), LIMITS.name_characters, _("Such as “OpenAI, team account”."), required=True)

    @classmethod
    def of(cls, connection: Connection, data: Any = None) -> "ConnectionForm":
        """The form of a connection as it is, or with what was sent."""
        names = ("name", "provider", "base_url", "api_version", "requests_a_minute", "tokens_a_minute")
        form = cls(data, initial={name: getattr(connection, name) for name in names})
        if connection.has_key:
            form.fields["key"].help_text = _("A key is stored. Leave this empty to keep it.")
        return form

    def changes(self) -> dict[str, Any]:
        """What the operation takes: all fields, the key only where one was entered."""
        given = dict(self.cleaned_data)
        if not given["key"]:
            del given["key"]
        return given


class ModelFields(forms.Form):
    """One model of a connection."""

    name = line(
        _("Model"),
        LIMITS.model_name_characters,
        _("As the provider calls it; for Azure the deployment."),
        required=True,
    )
    label = line(_("Label"), LIMITS.name_characters, _("What people see; empty means the model's name."))
    input_price = price(_("Input price"))
    cached_price = price(_("Cached input price"))
    output_price = price(_("Output price"))
    context_tokens = forms.IntegerField(label=_("Context length"), required=False, min_value=1)
    takes_temperature = forms.BooleanField(label=_("Takes a temperature"), required=False, initial=True)
    takes_json_schema = forms.BooleanField(
        label=_("Takes a JSON schema as response format"), required=False, initial=True
    )

    @property
    def has_further_errors(self) -> bool:
        """Whether a field that is folded away has an error, or the model stands and has its values there."""
        return bool(set(self.errors) - {"name", "label"}) or bool(self.initial)


class ModelForm(ModelFields):
    """A model of a connection that stands."""

    @classmethod
    def of(cls, model: LanguageModel, data: Any = None) -> "ModelForm":
        """The form of a model as it is, or with what was sent."""
        return cls(data, initial={name: getattr(model, name) for name in cls.base_fields})


class NewConnectionForm(ProviderFields, ModelFields):
    """Provider, model and key in one form (DS-21): a connection with its first model."""

    connection_name = line(
        _("Name of the connection"), LIMITS.name_characters, _("Empty: the name of its host or provider.")
    )
    field_order = ("provider", "base_url", "api_version", "key", "name", "label")

    def connection(self) -> dict[str, Any]:
        """What adding the connection takes."""
        given = self.cleaned_data
        host = _host(given["base_url"]) if given["provider"] != Provider.OPENAI else ""
        name = given["connection_name"] or host or str(ProviderChoice(given["provider"]).label)
        return {"name": name} | {field: given[field] for field in ProviderFields.base_fields}

    def model(self) -> dict[str, Any]:
        """What adding its model takes."""
        return {name: self.cleaned_data[name] for name in ModelFields.base_fields}


def _host(address: str) -> str:
    """The host of an address, or nothing where it has none; the operation says what is wrong with it."""
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""
