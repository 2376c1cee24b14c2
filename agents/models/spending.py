"""Spending: what an agent's runs cost in one calendar month (PL-25)."""

from decimal import Decimal

from django.db import models
from django.utils.translation import gettext_lazy as _

from agents.models.agent import Agent


class Spending(models.Model):
    """The sum of the runs' costs in USD, counted up as each call is paid, so that a budget is one look-up.

    It outlives the runs: what retention deletes was spent all the same. `month` is its first day, in UTC.
    """

    agent = models.ForeignKey(Agent, on_delete=models.CASCADE, related_name="spending")
    month = models.DateField()
    usd = models.DecimalField(max_digits=18, decimal_places=10, default=Decimal(0))

    class Meta:
        verbose_name = _("spending")
        verbose_name_plural = _("spending")
        constraints = [models.UniqueConstraint(fields=["agent", "month"], name="spending_once_a_month")]

    def __str__(self) -> str:
        return f"{self.agent_id} {self.month}"
