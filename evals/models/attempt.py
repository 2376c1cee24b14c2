"""Attempt: one answer to one case of a test run, from being asked to being graded."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from activity.models import Run
from core.ids import new_id
from core.json_text import JsonText
from core.limits import LIMITS
from evals.models.eval_item import EvalItem
from evals.models.eval_run import EvalRun
from scoring.models import Score


class AttemptState(models.TextChoices):
    """EV-D17. The answer is stored before grading starts, so that it is never bought twice."""

    PENDING = "pending", pgettext_lazy("an attempt", "Waiting")
    ANSWERING = "answering", pgettext_lazy("an attempt", "Answering")
    ANSWERED = "answered", pgettext_lazy("an attempt", "Answered")
    GRADING = "grading", pgettext_lazy("an attempt", "Grading")
    DONE = "done", pgettext_lazy("an attempt", "Done")
    ERROR = "error", pgettext_lazy("an attempt", "Not answered")
    CANCELLED = "cancelled", pgettext_lazy("an attempt", "Cancelled")


class AttemptKind(models.TextChoices):
    """Whether it counts for the result, or was made to confirm a change (EV-D33)."""

    FIRST = "first", pgettext_lazy("kind of attempt", "First")
    CONFIRM = "confirm", pgettext_lazy("kind of attempt", "Confirming")


class Attempt(models.Model):
    """`number` counts the attempts of its item from 1, confirming ones after the first pass.

    `worker` and `leased_until` say who works on it and until when that is believed; `losses` counts workers that were
    lost over it (EV-D29). `error` is the Reason why there is no answer, `error_key` tells equal errors apart from
    others (EV-D20). `agent_run` is the run in Activity, `score` its grading. Tokens, `cost` (USD), `seconds` and
    `model`, as the provider names it (EV-D52), are the agent's, so that they outlive the run; null where not known.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    run = models.ForeignKey(EvalRun, on_delete=models.CASCADE, related_name="attempts", db_index=False)
    item = models.ForeignKey(EvalItem, on_delete=models.CASCADE, related_name="attempts", db_index=False)
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=7, choices=AttemptKind.choices, default=AttemptKind.FIRST)
    state = models.CharField(max_length=9, choices=AttemptState.choices, default=AttemptState.PENDING)
    worker = models.CharField(max_length=64, blank=True)
    leased_until = models.DateTimeField(null=True)
    losses = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    error = JsonText(null=True)
    error_key = models.CharField(max_length=64, blank=True)
    agent_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+")
    score = models.OneToOneField(Score, on_delete=models.SET_NULL, null=True, related_name="attempt")
    cost = models.DecimalField(max_digits=18, decimal_places=10, null=True)
    seconds = models.FloatField(null=True)
    input_tokens = models.PositiveBigIntegerField(null=True)
    output_tokens = models.PositiveBigIntegerField(null=True)
    model = models.CharField(max_length=LIMITS.model_name_characters, blank=True)
    answered_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("attempt")
        verbose_name_plural = _("attempts")
        constraints = [models.UniqueConstraint(fields=["item", "number"], name="attempt_once_a_number")]
        indexes = [
            models.Index(fields=["run", "state"], name="attempt_by_state"),
            models.Index(
                fields=["leased_until"], condition=Q(state__in=["answering", "grading"]), name="attempt_leased"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.item_id} {self.number}"
