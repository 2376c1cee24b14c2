"""Case: what stays the same about a question while its content is edited: its id, its place, where it came from."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from activity.models import Conversation, Message, Run
from core.ids import new_id
from datasets.models.dataset import Dataset


class Case(models.Model):
    """Kept after a deletion, because older versions still hold it; so its id is never used again (DS-D4, DS-D5).

    One taken from an answer keeps the links to its run, its conversation and its last message then (DS-50). They are
    cleared when those are deleted, and the text stays (ACC-41 to ACC-43, ACC-D44).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="cases")
    position = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, editable=False, related_name="+")
    conversation = models.ForeignKey(
        Conversation, on_delete=models.SET_NULL, null=True, editable=False, related_name="+"
    )
    message = models.ForeignKey(Message, on_delete=models.SET_NULL, null=True, editable=False, related_name="+")

    class Meta:
        verbose_name = _("case")
        verbose_name_plural = _("cases")
        constraints = [models.UniqueConstraint(fields=["dataset", "position"], name="case_has_its_own_place")]

    def __str__(self) -> str:
        return str(self.pk)
