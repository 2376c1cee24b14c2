"""LanguageModel: a model offered through a connection, with its prices and what it can do (PL-20)."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from agents.logic.usage import Prices
from agents.models.connection import Connection
from core.ids import new_id
from core.limits import LIMITS


def price(label: Any) -> Any:
    """A price column: USD per million tokens, or null where it is not known."""
    return models.DecimalField(label, max_digits=12, decimal_places=6, null=True, blank=True)


class LanguageModel(models.Model):
    """`name` is what the provider calls it, `label` what people see; prices are USD per million tokens.

    A price that is not known is null, and then so is every cost; `cached_price` null means the full input price.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="models")
    name = models.CharField(_("model"), max_length=LIMITS.model_name_characters)
    label = models.CharField(_("label"), max_length=LIMITS.name_characters)
    search_text = models.CharField(max_length=LIMITS.name_characters * 8, editable=False)
    input_price = price(_("input price"))
    cached_price = price(_("cached input price"))
    output_price = price(_("output price"))
    context_tokens = models.PositiveIntegerField(_("context length"), null=True, blank=True)
    takes_temperature = models.BooleanField(_("takes a temperature"), default=True)
    takes_json_schema = models.BooleanField(_("takes a JSON schema"), default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("model")
        verbose_name_plural = _("models")
        constraints = [
            models.UniqueConstraint(fields=["connection", "name"], name="model_once_a_connection"),
            models.CheckConstraint(
                condition=(Q(input_price=None) | Q(input_price__gte=0))
                & (Q(cached_price=None) | Q(cached_price__gte=0))
                & (Q(output_price=None) | Q(output_price__gte=0)),
                name="model_prices_are_not_negative",
            ),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def id_text(self) -> str:
        return str(self.pk)

    def prices(self) -> Prices | None:
        """What its tokens cost, or None where that is not known."""
        if self.input_price is None or self.output_price is None:
            return None
        return Prices(self.input_price, self.output_price, self.cached_price)
