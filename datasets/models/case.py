"""Case: what stays the same about a question while its content is edited: its id and its place (DS-D4, DS-D5)."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from core.ids import new_id
from datasets.models.dataset import Dataset


class Case(models.Model):
    """Kept after a deletion, because older versions still hold it; so its id is never used again."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="cases")
    position = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        constraints = [models.UniqueConstraint(fields=["dataset", "position"], name="case_has_its_own_place")]

    def __str__(self) -> str:
        return str(self.pk)
