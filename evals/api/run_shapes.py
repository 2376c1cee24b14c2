"""What the API gives of test runs: the list of a dataset's, and one whole (EV-D2, EV-D38, EV-D51)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.serializers import MemberRef
from core.api.pagination import KeysetQuery
from core.api.serializers import Choice
from core.limits import LIMITS
from evals.api.figure_shapes import (
    MONEY,
    ChangeCountsOut,
    EvalSpendingOut,
    EvaluatorTotalsOut,
    LatencyOut,
    TagRowOut,
    TallyOut,
    TokensOut,
)
from evals.api.start_shapes import CostEstimateOut
from evals.logic.left_out import LeftOutCause
from evals.models import EvalState
from evals.operations.exporting import address_of
from scoring.api.score_shapes import PinOut

OF_AGENT = "Null where you may not see the agent."


class EvalQuery(KeysetQuery):
    """Which test runs. Archived ones are listed with `archived` alone."""

    agent = serializers.UUIDField(required=False)
    status = Choice(EvalState.choices, required=False)
    label = serializers.CharField(  # type: ignore[assignment]
        required=False, max_length=LIMITS.search_characters, help_text="A part of the label."
    )
    archived = serializers.BooleanField(required=False)


class EvalAgentOut(serializers.Serializer[Any]):
    """The agent that answered, and which of its versions."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)


class EvalHeadOut(serializers.Serializer[Any]):
    """A test run by name. `number` counts those of the dataset.

    `agent` is null where you may not see it, or it is gone. `answer_set` is the set of stored answers that was graded,
    where no agent was asked. `seconds` is null until it has
    ended.
    """

    id = serializers.UUIDField(source="run.id")
    dataset = serializers.UUIDField(source="run.dataset_id")
    number = serializers.IntegerField(source="run.number")
    label = serializers.CharField(source="run.label", allow_blank=True)  # type: ignore[assignment]
    status = serializers.ChoiceField(EvalState.choices, source="run.state")
    url = serializers.SerializerMethodField(help_text="Its page.")
    agent = EvalAgentOut(allow_null=True)
    answer_set = serializers.UUIDField(source="run.answer_set_id", allow_null=True)
    dataset_version = serializers.IntegerField(source="run.version")
    started_by = MemberRef(source="run.started_by", allow_null=True)
    created_at = serializers.DateTimeField(source="run.created_at")
    started_at = serializers.DateTimeField(source="run.started_at", allow_null=True)
    finished_at = serializers.DateTimeField(source="run.finished_at", allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    is_baseline = serializers.BooleanField(source="run.is_baseline")
    archived = serializers.SerializerMethodField()

    def get_url(self, shown: Any) -> str:
        return address_of(shown.run)

    def get_archived(self, shown: Any) -> bool:
        return shown.run.archived_at is not None


class EvalRowOut(EvalHeadOut):
    """A test run with its rate and cost so far. `regressed` counts against its baseline; null without one."""

    cases = TallyOut()
    regressed = serializers.IntegerField(allow_null=True)
    regressed_confirmed = serializers.IntegerField(allow_null=True)
    cost_usd = serializers.DecimalField(source="cost.amount", **MONEY)
    cost_at_least = serializers.BooleanField(source="cost.is_at_least", help_text="A price of it is not known.")


class ProgressOut(serializers.Serializer[Any]):
    """How far the first pass is, or the confirming one; counts are of answers. `seconds_left` is null where unknown."""

    confirming = serializers.BooleanField()
    total = serializers.IntegerField()
    answered = serializers.IntegerField()
    graded = serializers.IntegerField()
    errors = serializers.IntegerField()  # type: ignore[assignment]  # a field here, and a property of serializers
    cancelled = serializers.IntegerField()
    passed = serializers.IntegerField(source="outcomes.passed")
    failed = serializers.IntegerField(source="outcomes.failed")
    unscored = serializers.IntegerField(source="outcomes.unscored")
    cost_usd = serializers.DecimalField(source="cost.amount", **MONEY)
    cost_at_least = serializers.BooleanField(source="cost.is_at_least")
    seconds_left = serializers.FloatField(allow_null=True)


class ScoredAgainOut(serializers.Serializer[Any]):
    """How many answers were graded again since the run was completed, and since when results may differ."""

    count = serializers.IntegerField()
    since = serializers.DateTimeField()


class DecidedLaterOut(serializers.Serializer[Any]):
    """How many answers people decided since the run was completed, and since when results may differ."""

    count = serializers.IntegerField()
    since = serializers.DateTimeField()


class EvalTotalsOut(serializers.Serializer[Any]):
    """The results as they are now. `automatic` leaves out what people `decided`.

    `models` are as the provider names them. `changes` are against the baseline, null without one.
    """

    cases = TallyOut(source="totals.cases")
    automatic = TallyOut(source="totals.automatic")
    decided = serializers.IntegerField(source="totals.decided")
    cost = EvalSpendingOut(source="totals.spending")
    tokens = TokensOut(source="totals.tokens")
    latency = LatencyOut(source="totals.latency")
    models = serializers.SerializerMethodField(help_text=OF_AGENT)
    changes = ChangeCountsOut(source="counts", allow_null=True)
    tags = TagRowOut(many=True)
    evaluators = EvaluatorTotalsOut(many=True)
    scored_again = ScoredAgainOut(allow_null=True)
    decided_later = DecidedLaterOut(allow_null=True)

    @extend_schema_field(serializers.ListField(child=serializers.CharField(), allow_null=True))
    def get_models(self, shown: Any) -> list[str] | None:
        return list(shown.totals.models) if shown.sees_agent else None


class LeftOutCaseOut(serializers.Serializer[Any]):
    """A case that was not asked."""

    case = serializers.UUIDField()
    cause = serializers.ChoiceField([cause.value for cause in LeftOutCause])


class ConfigurationOut(serializers.Serializer[Any]):
    """What the run was started with; it never changes. The cases with their revisions are its items.

    `options` are the choices as they were sent, `settings` the grading settings, `judge` is null where none takes part.
    """

    agent_version = serializers.IntegerField(allow_null=True, help_text=OF_AGENT)
    model = serializers.CharField(allow_null=True, help_text=OF_AGENT)
    spec_hash = serializers.CharField(allow_null=True, help_text=OF_AGENT)
    prices = serializers.DictField(allow_null=True, help_text=f"USD per million tokens. {OF_AGENT}")
    repeats = serializers.IntegerField()
    confirm_changes = serializers.BooleanField()
    max_cost_usd = serializers.DecimalField(allow_null=True, **MONEY)
    options = serializers.DictField()
    left_out = LeftOutCaseOut(many=True)
    settings = serializers.DictField()
    judge = PinOut(allow_null=True)
    baseline = serializers.UUIDField(allow_null=True)
    release = serializers.CharField(allow_null=True)
    key = serializers.UUIDField(allow_null=True, help_text="The API key that started it.")


class EvalOut(EvalHeadOut):
    """A test run. `totals` is null until it has ended: `progress` says how far it is.

    `cause` says why it ended early. `ahead` counts the queued runs that are taken up before it. `review` says what was
    sent to people when it was completed.
    """

    cause = serializers.CharField(allow_null=True)
    ahead = serializers.IntegerField()
    baseline = serializers.UUIDField(source="run.baseline_id", allow_null=True)
    progress = ProgressOut()
    totals = EvalTotalsOut(allow_null=True)
    estimate = CostEstimateOut(allow_null=True)
    configuration = ConfigurationOut()
    review = serializers.DictField(source="run.review", allow_null=True)
