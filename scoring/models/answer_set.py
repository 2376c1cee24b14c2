"""AnswerSet: answers that somebody brought along, graded without asking any agent."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Member
from agents.models import Agent
from core.ids import new_id
from core.limits import LIMITS
from datasets.models import Dataset


class AnswerSet(models.Model):
    """What came in one file or request. `agent` is who gave the answers, where that was said; `version` the dataset's.

    `label` is what people call it, such as the name of a model or of a file. `answer_count` are those that are graded;
    the answers to cases that were anonymised, and to cases that the settings gave nothing to check, were left out and
    are counted beside it.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="answer_sets", db_index=False)
    version = models.PositiveIntegerField()
    label = models.CharField(_("label"), max_length=LIMITS.name_characters)
    agent = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, related_name="+")
    asked_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    answer_count = models.PositiveIntegerField(default=0)
    anonymised_count = models.PositiveIntegerField(default=0)
    unchecked_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("set of answers")
        verbose_name_plural = _("sets of answers")
        indexes = [models.Index(fields=["dataset", "-created_at", "-id"], name="answer_set_by_time")]

    def __str__(self) -> str:
        return self.label
