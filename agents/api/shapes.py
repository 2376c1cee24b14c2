"""What the API gives for connections and models, and what it takes."""

from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from agents.models.connection import ProviderChoice
from core.api.pagination import KeysetQuery
from core.api.serializers import Choice, Flag, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS


class Price(serializers.DecimalField):
    """USD per million tokens as a string, such as "0.15", so that no digit is lost; null where it is not known."""

    def __init__(self, **kwargs: Any) -> None:
        given: dict[str, Any] = {
            "min_value": Decimal(0),
            "max_value": Decimal(LIMITS.model_price),
            "allow_null": True,
            "required": False,
        }
        super().__init__(max_digits=12, decimal_places=6, **given | kwargs)

    def to_internal_value(self, data: Any) -> Decimal:
        if not isinstance(data, str):
            raise serializers.ValidationError(_('Write the price as a string, such as "0.15".'))
        return super().to_internal_value(data)


class ConnectionIn(StrictSerializer):
    """A provider of models. The key is kept encrypted and in no answer.

    `requests_a_minute` and `tokens_a_minute` are what test runs and judges send at the most; null without a bound.
    """

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True)
    provider = Choice(ProviderChoice.choices)
    base_url = Text(max_length=LIMITS.url_characters, allow_blank=True, required=False)
    api_version = Text(max_length=LIMITS.api_version_characters, allow_blank=True, required=False)
    key = Text(max_length=LIMITS.key_characters, allow_blank=True, required=False, write_only=True)
    requests_a_minute = WholeNumber(min_value=1, max_value=LIMITS.rate_a_minute, allow_null=True, required=False)
    tokens_a_minute = WholeNumber(min_value=1, max_value=LIMITS.rate_a_minute, allow_null=True, required=False)


class ConnectionPatch(ConnectionIn):
    """What may be changed; what is left out stays. An empty `key` takes the stored one away."""

    name = Text(max_length=LIMITS.name_characters, trim_whitespace=True, required=False)
    provider = Choice(ProviderChoice.choices, required=False)


class ConnectionOut(serializers.Serializer[Any]):
    """A connection; `has_key` says whether a key is stored."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    provider = serializers.ChoiceField(ProviderChoice.choices)
    base_url = serializers.CharField()
    api_version = serializers.CharField()
    requests_a_minute = serializers.IntegerField(allow_null=True)
    tokens_a_minute = serializers.IntegerField(allow_null=True)
    has_key = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class ModelIn(StrictSerializer):
    """A model of a connection. Prices are USD per million tokens."""

    name = Text(max_length=LIMITS.model_name_characters, trim_whitespace=True)
    label = Text(max_length=LIMITS.name_characters, allow_blank=True, required=False)  # type: ignore[assignment]
    input_price = Price()
    cached_price = Price()
    output_price = Price()
    context_tokens = WholeNumber(min_value=1, max_value=LIMITS.context_tokens, allow_null=True, required=False)
    takes_temperature = Flag(required=False)
    takes_json_schema = Flag(required=False)


class ModelPatch(ModelIn):
    """What may be changed of a model; what is left out stays."""

    name = Text(max_length=LIMITS.model_name_characters, trim_whitespace=True, required=False)
    label = Text(max_length=LIMITS.name_characters, trim_whitespace=True, required=False)


class ConnectionRef(serializers.Serializer[Any]):
    """A connection, by name."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class ModelOut(serializers.Serializer[Any]):
    """A model that can be chosen."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    connection = ConnectionRef()
    input_price = Price()
    cached_price = Price()
    output_price = Price()
    context_tokens = serializers.IntegerField(allow_null=True)
    takes_temperature = serializers.BooleanField()
    takes_json_schema = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class ModelQuery(KeysetQuery):
    """Which models."""

    q = serializers.CharField(required=False, max_length=LIMITS.search_characters, help_text="Words of its names.")


class TrialIn(StrictSerializer):
    """Nothing: what is asked is always the same."""


class TrialOut(serializers.Serializer[Any]):
    """What one small call brought: `text`, or `cause` and `message`, with what the provider `said`."""

    ok = serializers.BooleanField()
    text = serializers.CharField(allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    cause = serializers.CharField(allow_null=True)
    status = serializers.IntegerField(allow_null=True)
    message = serializers.CharField(allow_null=True)
    said = serializers.CharField(allow_null=True)
