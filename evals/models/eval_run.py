"""EvalRun: one agent answers the cases of one dataset version; in the console a test run."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import ApiKey, Member, Organisation
from agents.models import Agent, AgentVersion
from core.ids import new_id
from core.json_text import JsonText
from core.limits import LIMITS
from datasets.models import Dataset
from scoring.models import AnswerSet, GradingSnapshot


class EvalState(models.TextChoices):
    """EV-D16; only a completed run has a full result."""

    QUEUED = "queued", pgettext_lazy("a test run", "Queued")
    RUNNING = "running", pgettext_lazy("a test run", "Running")
    CONFIRMING = "confirming", pgettext_lazy("a test run", "Confirming changes")
    CANCELLING = "cancelling", pgettext_lazy("a test run", "Cancelling")
    CANCELLED = "cancelled", pgettext_lazy("a test run", "Cancelled")
    STOPPED = "stopped", pgettext_lazy("a test run", "Stopped")
    FAILED = "failed", pgettext_lazy("a test run", "Failed")
    COMPLETED = "completed", pgettext_lazy("a test run", "Completed")


FINAL_STATES = (EvalState.CANCELLED, EvalState.STOPPED, EvalState.FAILED, EvalState.COMPLETED)


class EvalRun(models.Model):
    """The configuration it was started with never changes (EV-33, EV-D51).

    `number` counts the runs of a dataset. `options` are the choices of the start as they were sent (EV-D3); `repeats`,
    `confirm_changes` and `max_cost` (USD, null without a limit) repeat those that the work reads. `snapshot` are the
    grading settings, `pin` the judge that grades every answer of it (EV-35), null where none takes part; `kept` holds
    model, spec hash, prices and release. `left_out` are the cases that were not asked, `[{"case", "cause"}]`.
    `estimate` is what was shown before (EV-D11). `baseline` is what it is compared with, `is_baseline` marks the one
    that runs of its dataset and agent are compared with by default (EV-D40). `answer_set` is set where the answers were
    brought along: then no agent is called. `cause` is the Reason why it ended before its end. `with_key` stays true
    when the key is deleted (EV-D14). `progress_at` is when an attempt last moved on, `stalls` how often it was picked
    up without any (EV-D32). `turn` counts the jobs that worked on it: a job that was queued for an earlier turn does
    nothing, so that jobs that are delivered twice never multiply (EV-D30). `review` says what was sent to people once
    it completed (EV-D49).
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+")
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="eval_runs", db_index=False)
    number = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    agent = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, related_name="eval_runs")
    agent_version = models.ForeignKey(AgentVersion, on_delete=models.SET_NULL, null=True, related_name="+")
    answer_set = models.OneToOneField(AnswerSet, on_delete=models.SET_NULL, null=True, related_name="eval_run")
    label = models.CharField(_("label"), max_length=LIMITS.eval_label_characters, blank=True)
    state = models.CharField(_("state"), max_length=10, choices=EvalState.choices, default=EvalState.QUEUED)
    cause = JsonText(null=True)

    options = JsonText(default=dict)
    repeats = models.PositiveSmallIntegerField(default=1)
    confirm_changes = models.BooleanField(default=True)
    max_cost = models.DecimalField(max_digits=18, decimal_places=10, null=True)
    snapshot = models.ForeignKey(GradingSnapshot, on_delete=models.RESTRICT, related_name="+")
    pin = JsonText(null=True)
    pin_hash = models.CharField(max_length=64, blank=True)
    kept = JsonText(default=dict)
    left_out = JsonText(default=list)
    estimate = JsonText(null=True)
    baseline = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="+")
    is_baseline = models.BooleanField(default=False)

    started_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    key = models.ForeignKey(ApiKey, on_delete=models.SET_NULL, null=True, related_name="+")
    with_key = models.BooleanField(default=False)
    idempotency_key = models.CharField(max_length=LIMITS.idempotency_key_characters, null=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    progress_at = models.DateTimeField(default=timezone.now)
    stalls = models.PositiveSmallIntegerField(default=0)
    turn = models.PositiveIntegerField(default=0)
    review = JsonText(null=True)
    archived_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("test run")
        verbose_name_plural = _("test runs")
        constraints = [
            models.UniqueConstraint(fields=["dataset", "number"], name="eval_run_has_its_own_number"),
            models.UniqueConstraint(
                fields=["dataset", "agent"], condition=Q(is_baseline=True), name="one_baseline_a_dataset_and_agent"
            ),
            models.CheckConstraint(
                condition=Q(max_cost=None) | Q(max_cost__gte=0), name="eval_cost_limit_is_not_negative"
            ),
        ]
        indexes = [
            models.Index(fields=["dataset", "-created_at", "-id"], name="eval_run_by_time"),
            models.Index(
                fields=["organisation", "created_at"],
                condition=~Q(state__in=["cancelled", "stopped", "failed", "completed"]),
                name="eval_run_at_work",
            ),
        ]

    def __str__(self) -> str:
        return self.label or str(self.number)

    @property
    def id_text(self) -> str:
        return str(self.pk)

    @property
    def is_final(self) -> bool:
        return self.state in FINAL_STATES

    @property
    def answers_of(self) -> dict[str, Any]:
        """Of a run that graded the answers of another one anew, what is kept of that; empty for every other.

        `run` and `number` name that one, `ended` says when it had (ISO 8601), `stored` whether no agent of ours
        answered.
        """
        kept: dict[str, Any] = self.kept.get("answers_of") or {}
        return kept

    @property
    def asks_an_agent(self) -> bool:
        """Whether its answers are asked for, and not brought along or taken over."""
        return self.answer_set_id is None and not self.answers_of

    @property
    def has_agent(self) -> bool:
        """Whether an agent of the organisation answered, perhaps one that was deleted since (ACC-D23)."""
        return self.agent_id is not None or not (self.answer_set_id or self.answers_of.get("stored"))
