"""Stay: the time that one score spends in the review queue, waiting for a person (RV-D24)."""

from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Member
from core.ids import new_id
from datasets.models import Case, Dataset
from evals.models import EvalRun
from scoring.models import Score

NO_AGENT = UUID(int=0)


class Entry(models.TextChoices):
    """Why a score entered the queue."""

    SENT = "sent", pgettext_lazy("why an answer waits for review", "Sent by a person")
    REGRESSION = "regression", pgettext_lazy("why an answer waits for review", "Confirmed regression")
    JUDGE_ERROR = "judge_error", pgettext_lazy("why an answer waits for review", "The judge failed")
    SETTING = "setting", pgettext_lazy("why an answer waits for review", "Setting of the dataset")
    DECISION_WITHDRAWN = "decision_withdrawn", pgettext_lazy("why an answer waits for review", "Decision withdrawn")


class Leaving(models.TextChoices):
    """Why a score left the queue."""

    DECIDED = "decided", pgettext_lazy("why an answer waits no longer", "Decided")
    DISPLACED = "displaced", pgettext_lazy("why an answer waits no longer", "Displaced")
    WITHDRAWN = "withdrawn", pgettext_lazy("why an answer waits no longer", "Taken out")


class Stay(models.Model):
    """It waits while `left_at` is null; one at most for each case and agent (RV-39, RV-40).

    `agent_key` is the id of the agent that answered, also once it is deleted, and `NO_AGENT` for an answer that no
    agent of the organisation gave. `by` is who sent it, null for a test run's own sending and for a person erased.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    score = models.ForeignKey(Score, on_delete=models.CASCADE, related_name="stays")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="+", db_index=False)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="+")
    agent_key = models.UUIDField(default=NO_AGENT)
    entry = models.CharField(_("entered because"), max_length=18, choices=Entry.choices)
    by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    eval_run = models.ForeignKey(EvalRun, on_delete=models.SET_NULL, null=True, related_name="+")
    entered_at = models.DateTimeField(default=timezone.now)
    left_at = models.DateTimeField(null=True)
    leaving = models.CharField(_("left because"), max_length=9, choices=Leaving.choices, blank=True)

    class Meta:
        verbose_name = _("stay in the review queue")
        verbose_name_plural = _("stays in the review queue")
        constraints = [
            models.UniqueConstraint(
                fields=["dataset", "case", "agent_key"], condition=Q(left_at=None), name="one_waits_a_case_and_agent"
            ),
            models.UniqueConstraint(fields=["score"], condition=Q(left_at=None), name="score_waits_once"),
            models.CheckConstraint(
                condition=Q(left_at=None, leaving="") | Q(left_at__isnull=False) & ~Q(leaving=""),
                name="stay_ends_with_a_reason",
            ),
        ]
        indexes = [
            models.Index(fields=["dataset", "entered_at"], condition=Q(left_at=None), name="stay_waiting"),
        ]

    def __str__(self) -> str:
        return str(self.score_id)
