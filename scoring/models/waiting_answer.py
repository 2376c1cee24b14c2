"""WaitingAnswer: the whole of an answer that no run holds, until it is graded."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from core.json_text import JsonText
from scoring.models.score import Score


class WaitingAnswer(models.Model):
    """Deleted when its score is graded, which keeps a copy; a score from Activity reads its run and needs none."""

    score = models.OneToOneField(Score, on_delete=models.CASCADE, primary_key=True, related_name="waiting_answer")
    text = models.TextField(blank=True)
    calls = JsonText(default=list)

    class Meta:
        verbose_name = _("answer to be graded")
        verbose_name_plural = _("answers to be graded")

    def __str__(self) -> str:
        return str(self.score_id)
