"""Decision: what a person ruled on a score, one row for each act, none ever changed (RV-53 to RV-61, RV-D30)."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Member
from core.ids import new_id
from core.limits import LIMITS
from scoring.models import Score, ScoreOutcome


class Ruling(models.TextChoices):
    """What a person can rule (RV-D28)."""

    PASS = "pass", pgettext_lazy("a decision", "Pass")
    FAIL = "fail", pgettext_lazy("a decision", "Fail")


class Decision(models.Model):
    """`number` counts the acts on one score from 1: the highest is what holds, and is the `revision` that a client
    names (RV-D30). An empty `ruling` is an act that withdrew the decision before it.

    `automatic` is what grading had found at that moment. `note` has its credentials hidden and is empty once the words
    about its answer are removed. `by` is null once that person is erased; the decision stays (RV-61).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    score = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="decisions", db_index=False)
    number = models.PositiveIntegerField()
    ruling = models.CharField(_("decision"), max_length=4, choices=Ruling.choices, blank=True)
    automatic = models.CharField(max_length=8, choices=ScoreOutcome.choices, blank=True)
    note = models.TextField(_("note"), max_length=LIMITS.review_note_characters, blank=True)
    by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("decision")
        verbose_name_plural = _("decisions")
        constraints = [
            models.UniqueConstraint(fields=["score", "number"], name="decision_has_its_own_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="decision_counts_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.score_id} {self.number}"
