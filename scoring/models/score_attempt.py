"""ScoreAttempt: an earlier try at grading a score that was graded again, kept to be read only (SC-D59)."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Member
from activity.models import Run
from core.ids import new_id
from core.json_text import JsonText
from scoring.models.score import Score


class ScoreAttempt(models.Model):
    """The fields of the score as they were before; `number` counts from 1."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    score = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="attempts", db_index=False)
    number = models.PositiveIntegerField()
    why = JsonText(null=True)
    results = JsonText(default=list)
    pin = JsonText(null=True)
    unreadable_reply = models.TextField(blank=True)
    judge_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    judge_cost = models.DecimalField(max_digits=18, decimal_places=10, null=True)
    asked_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    graded_at = models.DateTimeField(null=True)
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("earlier attempt")
        verbose_name_plural = _("earlier attempts")
        constraints = [models.UniqueConstraint(fields=["score", "number"], name="attempt_has_its_own_number")]

    def __str__(self) -> str:
        return f"{self.score_id} {self.number}"
