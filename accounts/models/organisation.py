"""Organisation: the tenant. Nothing is ever visible across organisations."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from core.limits import LIMITS


class Organisation(models.Model):
    """A team and everything it keeps.

    `monthly_budget` is what all its agents together may spend in a calendar month, in USD; null means no bound (PL-25).
    `retention_days` is how long production runs and conversations are kept; null means for good (PL-34).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    name = models.CharField(_("name"), max_length=LIMITS.name_characters)
    monthly_budget = models.DecimalField(_("monthly budget"), max_digits=12, decimal_places=2, null=True, blank=True)
    retention_days = models.PositiveIntegerField(_("retention in days"), null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("organisation")
        verbose_name_plural = _("organisations")
        constraints = [
            models.CheckConstraint(
                condition=models.Q(monthly_budget=None) | models.Q(monthly_budget__gte=0),
                name="organisation_budget_is_not_negative",
            ),
            models.CheckConstraint(
                condition=models.Q(retention_days=None) | models.Q(retention_days__gte=1),
                name="organisation_keeps_runs_a_day",
            ),
        ]

    def __str__(self) -> str:
        return self.name
