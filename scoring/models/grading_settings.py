"""GradingSettings: how a dataset's answers are graded now; GradingSnapshot: settings as they were once used."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Member
from core.ids import new_id
from core.json_text import JsonText
from datasets.models import Dataset


class GradingSettings(models.Model):
    """One row a dataset once somebody saved its grading; until then the defaults hold, with revision 0 (SC-D16).

    The row is locked while settings are merged, and `revision` counts each saving up (SC-D20). They belong to the
    dataset and not to its versions (SC-44). `settings` has the shape of scoring/logic/settings.py.
    """

    dataset = models.OneToOneField(Dataset, on_delete=models.CASCADE, primary_key=True, related_name="grading")
    settings = JsonText(default=dict)
    revision = models.PositiveIntegerField(default=0)
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")

    class Meta:
        verbose_name = _("grading settings")
        verbose_name_plural = _("grading settings")

    def __str__(self) -> str:
        return str(self.dataset_id)


class GradingSnapshot(models.Model):
    """The copy of the settings that scores were computed with (SC-45); never changed, and one for all that used them.

    `digest` is the SHA-256 of the canonical JSON of `settings`.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+", db_index=False)
    digest = models.CharField(max_length=64)
    settings = JsonText()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("copy of grading settings")
        verbose_name_plural = _("copies of grading settings")
        constraints = [models.UniqueConstraint(fields=["dataset", "digest"], name="snapshot_once_a_dataset")]

    def __str__(self) -> str:
        return self.digest[:12]
