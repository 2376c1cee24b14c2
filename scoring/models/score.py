"""Score: what grading one answer against one case found, kept whatever happens to the answer later."""

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import Member, Organisation, Person
from activity.models import Run
from agents.models import Agent, AgentVersion
from core.ids import new_id
from core.json_text import JsonText
from core.limits import LIMITS
from datasets.models import Case, Dataset
from scoring.models.answer_set import AnswerSet
from scoring.models.grading_settings import GradingSnapshot


class ScoreState(models.TextChoices):
    """Whether it is graded yet."""

    WAITING = "waiting", pgettext_lazy("a score", "Waiting")
    DONE = "done", pgettext_lazy("a score", "Graded")


class ScoreOutcome(models.TextChoices):
    """Of the case (SC-11 to SC-14)."""

    PASS = "pass", pgettext_lazy("outcome of a case", "Passed")
    FAIL = "fail", pgettext_lazy("outcome of a case", "Failed")
    UNSCORED = "unscored", pgettext_lazy("outcome of a case", "Unscored")


class ScoreOrigin(models.TextChoices):
    """Where the answer came from."""

    ACTIVITY = "activity", pgettext_lazy("origin of a score", "Activity")
    STORED = "stored", pgettext_lazy("origin of a score", "Stored answers")
    EVAL = "eval", pgettext_lazy("origin of a score", "Test run")


class JudgeTrouble(models.TextChoices):
    """Whether the judge was not called where it should have been, or was and brought no verdict (SC-D42)."""

    SKIPPED = "skipped", _("The judge was skipped")
    ERROR = "error", _("The judge failed")


class Score(models.Model):
    """`version` is the dataset's, so that the case is read as it was graded. `snapshot` are the settings used (SC-45).

    `results` is a list of scoring.logic.findings.EvaluatorResult as JSON, `why` the Reason of an unscored one, `number`
    is shown only (SC-D9). `pin` holds the fields of SC-D4, null without a judge part; `pin_hash` is equal for scores
    whose grades are comparable (SC-D5). `is_pinned` says that it is part of a test run and may be graded again only by
    the very judge it names (SC-142, SC-143).

    `decided` is the outcome that a person ruled, empty until one did; it wins over `outcome`, which stays what grading
    found (RV-53 to RV-55). `final` is what counts of the two, for lists that filter by it.

    `answer` is the copy of what was graded, `answer_cut` where that was longer; `calls` are its tool calls as
    `[{"tool", "arguments", "outcome"}]`, both with credentials hidden (SC-148). `answer_removed_at` is when they and
    every word about them were cleared (SC-151, SC-D61). `cost` (USD) and `seconds` are the agent's, `model` is the one
    that answered, `judge_cost` (USD) the judge's; null where not known. `person` is whose run it was, `agent` who
    answered; `has_agent` stays true when that agent is deleted (ACC-D23). `unreadable_reply` is the beginning of a
    judge's reply that could not be read (SC-131).

    While it is graded, `claim` names the worker that holds it since `claimed_at`, and `claims` counts the workers that
    took it up since it was last laid down: one that a worker dies of again and again is given up.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation = models.ForeignKey(Organisation, on_delete=models.CASCADE, related_name="+", db_index=False)
    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="scores", db_index=False)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="scores", db_index=False)
    version = models.PositiveIntegerField()
    snapshot = models.ForeignKey(GradingSnapshot, on_delete=models.RESTRICT, related_name="scores")
    origin = models.CharField(_("origin"), max_length=8, choices=ScoreOrigin.choices)
    answer_set = models.ForeignKey(
        AnswerSet, on_delete=models.CASCADE, null=True, related_name="scores", db_index=False
    )
    agent = models.ForeignKey(Agent, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)
    agent_version = models.ForeignKey(
        AgentVersion, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False
    )
    has_agent = models.BooleanField(default=True)
    run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)
    judge_run = models.ForeignKey(Run, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)
    asked_by = models.ForeignKey(Member, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)
    is_pinned = models.BooleanField(default=False)

    state = models.CharField(_("state"), max_length=7, choices=ScoreState.choices, default=ScoreState.WAITING)
    outcome = models.CharField(_("outcome"), max_length=8, choices=ScoreOutcome.choices, blank=True)
    decided = models.CharField(max_length=8, choices=ScoreOutcome.choices, blank=True)
    final = models.GeneratedField(
        expression=models.Case(models.When(decided="", then="outcome"), default="decided"),
        output_field=models.CharField(max_length=8),
        db_persist=True,
    )
    number = models.FloatField(null=True)
    why = JsonText(null=True)
    results = JsonText(default=list)
    judge_trouble = models.CharField(max_length=7, choices=JudgeTrouble.choices, blank=True)
    pin = JsonText(null=True)
    pin_hash = models.CharField(max_length=64, blank=True)
    unreadable_reply = models.TextField(blank=True)
    judge_cost = models.DecimalField(max_digits=18, decimal_places=10, null=True)

    answer = models.TextField(blank=True)
    answer_cut = models.BooleanField(default=False)
    answer_removed_at = models.DateTimeField(null=True)
    calls = JsonText(default=list)
    cost = models.DecimalField(max_digits=18, decimal_places=10, null=True)
    seconds = models.FloatField(null=True)
    model = models.CharField(_("model"), max_length=LIMITS.model_name_characters, blank=True)

    created_at = models.DateTimeField(default=timezone.now)
    graded_at = models.DateTimeField(null=True)
    claim = models.UUIDField(null=True, editable=False)
    claimed_at = models.DateTimeField(null=True, editable=False)
    claims = models.PositiveSmallIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("score")
        verbose_name_plural = _("scores")
        constraints = [
            models.CheckConstraint(
                condition=Q(state="waiting", outcome="") | Q(state="done") & ~Q(outcome=""),
                name="score_has_an_outcome_once_graded",
            ),
        ]
        indexes = [
            models.Index(fields=["dataset", "-created_at", "-id"], name="score_by_time"),
            models.Index(fields=["dataset", "final", "-created_at", "-id"], name="score_by_outcome"),
            models.Index(fields=["dataset", "origin", "-created_at", "-id"], name="score_by_origin"),
            models.Index(fields=["dataset", "agent", "-created_at", "-id"], name="score_of_agent"),
            models.Index(fields=["dataset", "-created_at", "-id"], condition=~Q(pin_hash=""), name="score_judged"),
            models.Index(fields=["dataset", "-created_at", "-id"], condition=~Q(decided=""), name="score_decided"),
            models.Index(fields=["case", "agent", "-created_at"], name="score_of_case"),
            models.Index(fields=["created_at"], condition=Q(state="waiting"), name="score_waiting"),
            # For what deletes the rows that scores name; most scores name few of them, and each entry costs a write.
            *(
                models.Index(fields=[name], condition=Q(**{f"{name}__isnull": False}), name=f"score_{name}")
                for name in ("agent", "agent_version", "answer_set", "run", "judge_run", "person")
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def final_outcome(self) -> str:
        """What counts: a person's decision, or else what grading found; empty while it waits."""
        return self.decided or self.outcome

    @property
    def id_text(self) -> str:
        return str(self.pk)
