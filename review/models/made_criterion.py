"""MadeCriterion: the criterion of the judge that the note of a decision became (RV-62 to RV-65, RV-D39)."""

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Member
from core.ids import new_id
from core.limits import LIMITS
from scoring.models import Score


class Scope(models.TextChoices):
    """For which answers the criterion holds (RV-63, RV-64)."""

    CASE = "case", pgettext_lazy("where a criterion holds", "Only this case")
    RUBRIC = "rubric", pgettext_lazy("where a criterion holds", "Every case")


class MadeCriterion(models.Model):
    """`version` is the dataset's version that brought a criterion of the case, null for one of the rubric.

    `criterion` is empty once the words about its answer are removed.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    score = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="made_criteria")
    scope = models.CharField(_("holds for"), max_length=6, choices=Scope.choices)
    criterion = models.TextField(_("criterion"), max_length=LIMITS.criterion_characters, blank=True)
    version = models.PositiveIntegerField(null=True)
    by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("criterion made of a note")
        verbose_name_plural = _("criteria made of notes")

    def __str__(self) -> str:
        return f"{self.score_id} {self.scope}"
