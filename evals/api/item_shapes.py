"""What the API gives of the cases of a test run (EV-D2, EV-6)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.pagination import KeysetQuery
from core.api.serializers import Choice
from core.limits import LIMITS
from evals.api.figure_shapes import MONEY, milliseconds
from evals.logic.classes import ChangeClass, Incomparable
from evals.models import AttemptKind, AttemptState
from evals.queries.shown_items import ShownAttempt
from scoring.models import JudgeTrouble, ScoreOutcome

OUTCOMES = ScoreOutcome.choices
CLASSES = [one.value for one in ChangeClass]
HIDDEN = "None where you may not read them: that takes access to the agent that answered."
TAG = "A tag of the case as it was asked; `,` for cases without one."


class ItemQuery(KeysetQuery):
    """Which cases; `change` is against the run's baseline."""

    result = Choice(OUTCOMES, required=False)
    change = Choice([(one, one) for one in CLASSES], required=False)
    tag = serializers.CharField(required=False, max_length=LIMITS.tag_characters, help_text=TAG)


class CaseChangeOut(serializers.Serializer[Any]):
    """What became of a case since the other run.

    `because` says why it is not comparable. `passed` of `judged` answers passed where it was confirmed or is flaky.
    """

    change = serializers.ChoiceField(CLASSES, source="change.value")
    confirmed = serializers.BooleanField(source="is_confirmed")
    because = serializers.ChoiceField([one.value for one in Incomparable], allow_null=True)
    graded_differently = serializers.BooleanField(source="is_graded_differently")
    passed = serializers.IntegerField()
    judged = serializers.IntegerField()
    before = serializers.ChoiceField(OUTCOMES, allow_null=True)
    after = serializers.ChoiceField(OUTCOMES, allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        return shown | {name: shown[name] or None for name in ("because", "before", "after")}


class EvalAttemptOut(serializers.Serializer[Any]):
    """One answer to a case. Its score has the answer and every finding: `/datasets/{dataset}/scores/{score}`.

    `outcome` is what grading found, `final_outcome` what counts; both are null until it has ended. `number` is the
    mean of the evaluators, from 0 to 1.
    """

    attempt = serializers.IntegerField(source="attempt.number", help_text="From 1.")
    kind = serializers.SerializerMethodField()
    status = serializers.ChoiceField(AttemptState.choices, source="attempt.state")
    outcome = serializers.ChoiceField(OUTCOMES, source="attempt.outcome", allow_null=True)
    final_outcome = serializers.ChoiceField(OUTCOMES, source="attempt.final_outcome", allow_null=True)
    number = serializers.FloatField(source="attempt.score", allow_null=True)
    judge_trouble = serializers.ChoiceField(JudgeTrouble.choices, source="attempt.judge_trouble", allow_null=True)
    score = serializers.UUIDField(source="attempt.score_id", allow_null=True)
    run = serializers.UUIDField(source="attempt.agent_run_id", allow_null=True, help_text="In Activity.")
    readable = serializers.BooleanField(source="is_readable")
    reasons = serializers.ListField(child=serializers.CharField(), help_text=HIDDEN)
    error = serializers.CharField(allow_null=True, help_text="Why there is no answer.")
    unscored_because = serializers.CharField(allow_null=True)
    cost_usd = serializers.DecimalField(source="attempt.cost", allow_null=True, **MONEY)
    judge_cost_usd = serializers.DecimalField(source="attempt.judge_cost", allow_null=True, **MONEY)
    latency_ms = serializers.SerializerMethodField()
    input_tokens = serializers.IntegerField(source="attempt.input_tokens", allow_null=True)
    output_tokens = serializers.IntegerField(source="attempt.output_tokens", allow_null=True)
    model = serializers.SerializerMethodField(help_text="As the provider names it.")

    @extend_schema_field(serializers.ChoiceField(AttemptKind.choices))
    def get_kind(self, shown: ShownAttempt) -> str:
        return (AttemptKind.CONFIRM if shown.attempt.is_confirming else AttemptKind.FIRST).value

    def get_latency_ms(self, shown: ShownAttempt) -> int | None:
        return milliseconds(shown.attempt.seconds)

    def get_model(self, shown: ShownAttempt) -> str | None:
        return (shown.attempt.model or None) if shown.is_readable else None

    def to_representation(self, instance: ShownAttempt) -> dict[str, Any]:
        shown = super().to_representation(instance)
        names = ("outcome", "final_outcome", "judge_trouble", "error", "unscored_because")
        return shown | {name: shown[name] or None for name in names}


class ItemOut(serializers.Serializer[Any]):
    """A case of a test run. `result` is of its first answers; `change` is against the baseline, null without one.

    `revision` is the version of the dataset since which the case has this content. `reasons` say why it failed or has
    no result.
    """

    case = serializers.UUIDField(source="item.case_id")
    revision = serializers.IntegerField(source="case.revision")
    position = serializers.IntegerField(source="item.position")
    tags = serializers.ListField(child=serializers.CharField(), source="item.tags")
    question = serializers.CharField(source="case.content.input")
    result = serializers.ChoiceField(OUTCOMES, source="item.result")
    decided = serializers.BooleanField(source="item.is_decided", help_text="Whether a person ruled on it.")
    change = CaseChangeOut(allow_null=True)
    reasons = serializers.ListField(child=serializers.CharField(), help_text=HIDDEN)
    attempts = EvalAttemptOut(many=True)
