"""Serializers that refuse what they do not know: unknown keys, and a value of another type (DS-D2, DS-D44)."""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, NoReturn

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from core.limits import LIMITS

UNKNOWN_KEY = _("This key is not known.")
UNKNOWN_PARAMETER = _("This parameter is not known.")


class StrictSerializer(serializers.Serializer[Any]):
    """What a body may hold. An unknown key is an error at that key; nested serializers do the same.

    Use the fields of this module (`Text`, `WholeNumber`, `Number`, `Flag`) for JSON bodies: the framework's own take
    a number for a text and "true" for true.
    """

    def to_internal_value(self, data: Any) -> Any:
        unknown = [key for key in data if key not in self.fields] if isinstance(data, Mapping) else []
        if not unknown:
            return super().to_internal_value(data)
        errors: dict[str, Any] = {str(key): [UNKNOWN_KEY] for key in unknown}
        try:
            super().to_internal_value(data)
        except serializers.ValidationError as error:
            errors |= dict(error.detail) if isinstance(error.detail, dict) else {}
        raise serializers.ValidationError(errors)


class Text(serializers.CharField):
    """A string and nothing else; kept as it is unless `trim_whitespace=True` is given."""

    default_error_messages = {"invalid": _("This must be a text.")}

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("trim_whitespace", False)
        super().__init__(**kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Choice(serializers.ChoiceField):
    """One of some strings, which a refusal names; a number or a list is refused and not turned into one."""

    def fail(self, key: str, **kwargs: Any) -> NoReturn:
        if key == "invalid_choice":
            known = ", ".join(str(choice) for choice in self.choices)
            raise serializers.ValidationError(_("Choose one of: %(known)s.") % {"known": known}, code=key)
        super().fail(key, **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str):
            self.fail("invalid_choice", input=data)
        return super().to_internal_value(data)


class WholeNumber(serializers.IntegerField):
    """An integer of JSON, neither `"5"` nor `5.0` nor `true`."""

    default_error_messages = {"invalid": _("This must be a whole number.")}

    def to_internal_value(self, data: Any) -> int:
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class Number(serializers.FloatField):
    """A number of JSON, neither `"5"` nor `true`."""

    default_error_messages = {"invalid": _("This must be a number.")}

    def to_internal_value(self, data: Any) -> float:
        if not isinstance(data, int | float) or isinstance(data, bool):
            self.fail("invalid")
        return super().to_internal_value(data)


class Flag(serializers.BooleanField):
    """`true` or `false` of JSON; words and numbers are refused."""

    default_error_messages = {"invalid": _("This must be true or false.")}

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid")
        return data


class Moment(serializers.DateTimeField):
    """A time with its zone, such as `2026-11-30T08:00:00Z`; one without a zone is refused and not guessed."""

    default_error_messages = {
        "text": _("This must be a time such as 2026-11-30T08:00:00Z."),
        "naive": _("Give the time with its time zone."),
    }

    def to_internal_value(self, value: Any) -> datetime:
        if not isinstance(value, str):
            self.fail("text")
        return super().to_internal_value(value)

    def enforce_timezone(self, value: datetime) -> datetime:
        if timezone.is_naive(value):
            self.fail("naive")
        return super().enforce_timezone(value)


class Amount(serializers.DecimalField):
    """USD as a string, such as "12.50", so that no digit is lost; null for no bound."""

    default_error_messages = {"text": _('Write the amount as a string, such as "12.50".')}

    def __init__(self, **kwargs: Any) -> None:
        given: dict[str, Any] = {"min_value": Decimal(0), "max_value": Decimal(LIMITS.monthly_budget)}
        super().__init__(max_digits=12, decimal_places=2, **given | kwargs)

    def to_internal_value(self, data: Any) -> Decimal:
        if not isinstance(data, str):
            self.fail("text")
        return super().to_internal_value(data)
