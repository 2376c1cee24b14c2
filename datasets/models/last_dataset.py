"""LastDataset: the dataset a member last added an answer to, which the next addition offers first (DS-152, DS-D60)."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import Member
from datasets.models.dataset import Dataset


class LastDataset(models.Model):
    """One a member, and a member is a person in one organisation."""

    member = models.OneToOneField(Member, on_delete=models.CASCADE, primary_key=True, related_name="+")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+")

    class Meta:
        verbose_name = _("last dataset")
        verbose_name_plural = _("last datasets")

    def __str__(self) -> str:
        return str(self.dataset_id)
