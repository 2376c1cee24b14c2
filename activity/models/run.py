"""Run: one execution of an agent or a helper, from a question to its final answer (PL-31)."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Member, Organisation, Person
from activity.models.conversation import Conversation
from agents.models import Agent, AgentVersion
from core.ids import new_id
from core.limits import LIMITS


class RunKind(models.TextChoices):
    """What the run was for (PL-31)."""

    PRODUCTION = "production", pgettext_lazy("kind of run", "Production")
    EVAL = "eval", pgettext_lazy("kind of run", "Test run")
    ISOLATED = "isolated", pgettext_lazy("kind of run", "Isolated")
    HELPER = "helper", pgettext_lazy("kind of run", "Helper")


class RunStatus(models.TextChoices):
    """How it ended; each names its cause (PL-23, PL-25)."""

    RUNNING = "running", _("Running")
    COMPLETED = "completed", _("Completed")
    MAX_STEPS = "max_steps", _("Step limit reached")
    TIMED_OUT = "timed_out", _("Time limit reached")
    OVER_BUDGET = "over_budget", _("Over budget")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", pgettext_lazy("a run", "Stopped")


class RunRating(models.TextChoices):
    """The newest rating of its answer, kept here for the list's filter."""

    UP = "up", _("Thumbs up")
    DOWN = "down", _("Thumbs down")


class Run(models.Model):
    """`question` is the beginning of what was asked, for lists; the words themselves are messages.

    Its steps are those of its messages that the agent and the tools wrote. Tokens, `cost` (USD) and `seconds` are null
    where nobody said them; 0 is a value (BC-38). `error` says in words why it did not complete. `idempotency_key` is an
    integrator's (PL-32), `trace_id` the OpenTelemetry trace it was read from (PL-33). `person` is whose run it was:
    who asked.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+", db_index=False)
    agent = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, related_name="runs", db_index=False)
    agent_version = models.ForeignKey(AgentVersion, on_delete=models.SET_NULL, null=True, related_name="+")
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, null=True, related_name="runs")
    person = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+")
    started_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+")
    kind = models.CharField(_("kind"), max_length=10, choices=RunKind.choices, default=RunKind.PRODUCTION)
    status = models.CharField(_("status"), max_length=11, choices=RunStatus.choices, default=RunStatus.RUNNING)
    error = models.TextField(blank=True)
    question = models.CharField(max_length=LIMITS.run_question_characters, blank=True)
    question_folded = models.CharField(max_length=LIMITS.run_question_characters * 2, blank=True, editable=False)
    model = models.CharField(_("model"), max_length=LIMITS.model_name_characters, blank=True)
    step_count = models.PositiveIntegerField(default=0)
    tool_call_count = models.PositiveIntegerField(default=0)
    input_tokens = models.PositiveBigIntegerField(null=True)
    cached_tokens = models.PositiveBigIntegerField(null=True)
    output_tokens = models.PositiveBigIntegerField(null=True)
    cost = models.DecimalField(max_digits=18, decimal_places=10, null=True)
    seconds = models.FloatField(null=True)
    rating = models.CharField(_("rating"), max_length=4, choices=RunRating.choices, blank=True)
    idempotency_key = models.CharField(max_length=LIMITS.idempotency_key_characters, null=True, editable=False)
    trace_id = models.CharField(max_length=32, blank=True, editable=False)
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "idempotency_key"],
                condition=Q(idempotency_key__isnull=False),
                name="run_idempotency_key_is_unique",
            ),
            models.CheckConstraint(condition=Q(cost=None) | Q(cost__gte=0), name="run_cost_is_not_negative"),
            models.CheckConstraint(condition=Q(seconds=None) | Q(seconds__gte=0), name="run_takes_no_negative_time"),
        ]
        # The small ones hold the other filters too: rows that do not fit are then left out without being read.
        indexes = [
            models.Index(fields=["organisation", "-started_at", "-id"], name="run_by_time"),
            models.Index(fields=["agent", "-started_at", "-id"], name="run_of_agent"),
            models.Index(fields=["organisation", "kind", "-started_at", "-id"], name="run_by_kind"),
            models.Index(
                fields=["organisation", "status", "-started_at", "-id", "agent", "kind", "rating"],
                condition=~Q(status="completed"),
                name="run_not_completed",
            ),
            models.Index(
                fields=["organisation", "rating", "-started_at", "-id", "agent", "status", "kind"],
                condition=~Q(rating=""),
                name="run_rated",
            ),
            models.Index(fields=["organisation", "trace_id"], condition=~Q(trace_id=""), name="run_of_trace"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def id_text(self) -> str:
        return str(self.pk)

    @property
    def tokens(self) -> int | None:
        """Read and written together; None where nobody said either."""
        known = [count for count in (self.input_tokens, self.output_tokens) if count is not None]
        return sum(known) if known else None
