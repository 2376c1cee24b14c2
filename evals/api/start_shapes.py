"""What the API takes to start, estimate and resume a test run, and what it answers (EV-D2, EV-D3, EV-D10)."""

from collections.abc import Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.serializers import Flag, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS
from core.refusals import said
from evals.logic.choices import LARGEST_VERSION, read_amount
from evals.logic.estimates import Cost, CostKind
from evals.models import EvalState
from evals.operations.exporting import address_of
from evals.queries.estimates import Estimate
from scoring.queries.reason_words import in_words

MAX_COST = "USD as a number or as text, such as 12.5 or “12.50”: no answer starts once this is reached."
NOT_PASSED = "The id of an earlier test run: only cases that did not pass in it."
COST_KINDS = [kind.value for kind in CostKind]
BASELINE = "The id of the test run to compare with, `auto` for the usual one, null for none."


@extend_schema_field({"oneOf": [{"type": "number"}, {"type": "string"}], "nullable": True})
class CostLimit(serializers.Field[Any, Any, Any, Any]):
    """An amount in USD, or null for no limit; read by the digits that were sent."""

    def to_internal_value(self, data: Any) -> Any:
        amount, problems = read_amount(data)
        if problems:
            raise serializers.ValidationError([said(problem).message for problem in problems])
        return amount


class EvalIn(StrictSerializer):
    """What to run. A case is asked when it has one of the tags, is one of the ids and did not pass in the run named.

    What is left out asks for the newest version and every case.
    """

    agent = serializers.UUIDField()
    agent_version = WholeNumber(required=False, allow_null=True, min_value=1, max_value=LARGEST_VERSION)
    dataset_version = WholeNumber(required=False, allow_null=True, min_value=1, max_value=LARGEST_VERSION)
    tags = serializers.ListField(child=Text(), required=False, allow_null=True)
    case_ids = serializers.ListField(
        child=serializers.UUIDField(), required=False, allow_null=True, min_length=1, max_length=LIMITS.cases
    )
    not_passed_in = serializers.UUIDField(required=False, allow_null=True, help_text=NOT_PASSED)
    repeats = WholeNumber(required=False, min_value=1, max_value=LIMITS.eval_repeats)
    baseline = Text(required=False, allow_null=True, help_text=BASELINE)
    confirm_changes = Flag(required=False, help_text="Whether cases that changed are answered again.")
    max_cost_usd = CostLimit(required=False, help_text=MAX_COST)
    label = Text(required=False, allow_null=True, allow_blank=True, max_length=LIMITS.eval_label_characters)  # type: ignore[assignment]
    allow_unscored = Flag(required=False, help_text="Start also where the judge cannot grade now.")


class ResumeIn(StrictSerializer):
    """A cost limit in place of the one before; without it that one stays."""

    max_cost_usd = CostLimit(required=False, help_text=MAX_COST)


class EvalStartedOut(serializers.Serializer[Any]):
    """The run; ask for it until its `status` is `completed`, `cancelled`, `stopped` or `failed`. `url` is its page."""

    id = serializers.UUIDField()
    status = serializers.ChoiceField(EvalState.choices, source="state")
    url = serializers.SerializerMethodField()

    def get_url(self, run: Any) -> str:
        return address_of(run)


class EstimatedCostOut(serializers.Serializer[Any]):
    """A cost in USD. `words` say it as people are told; where prices of `unpriced` models are missing it is unknown."""

    kind = serializers.ChoiceField(COST_KINDS)
    amount = serializers.DecimalField(max_digits=18, decimal_places=10, allow_null=True)
    words = serializers.CharField()
    unpriced = serializers.ListField(child=serializers.CharField())

    def to_representation(self, instance: Cost) -> dict[str, Any]:
        amount = None if instance.unpriced else f"{instance.amount:.10f}"
        said_as = {"kind": instance.kind.value, "words": in_words(instance.words)}
        return {**said_as, "amount": amount, "unpriced": list(instance.unpriced)}


class AmountsOut(serializers.Serializer[Any]):
    """A cost in its three parts, with the calls of models and the seconds that go with it."""

    agent = EstimatedCostOut()
    judge = EstimatedCostOut()
    confirming = EstimatedCostOut()
    total = EstimatedCostOut()
    calls = serializers.IntegerField()
    seconds = serializers.FloatField()


class CostEstimateOut(serializers.Serializer[Any]):
    """What a run will probably cost and take. `highest` has all that confirming may take."""

    cases = serializers.IntegerField()
    attempts = serializers.IntegerField(help_text="Answers of the first pass.")
    expected = AmountsOut()
    highest = AmountsOut()


class LeftOutCountsOut(serializers.Serializer[Any]):
    """Cases that are not asked: anonymised after erasure, or with nothing for the grading settings to check."""

    anonymised = serializers.IntegerField()
    nothing_to_check = serializers.IntegerField()


class EstimatedJudgeOut(serializers.Serializer[Any]):
    """Who will grade; `why_not` says why nobody can now, where unscored answers were allowed."""

    name = serializers.CharField(allow_blank=True)
    model = serializers.CharField(allow_blank=True)
    built_in = serializers.BooleanField(source="is_built_in")
    why_not = serializers.SerializerMethodField()

    def get_why_not(self, judge: Any) -> str | None:
        return in_words(judge.why_not) or None


class EstimateOut(CostEstimateOut):
    """An estimate: it reserves nothing and promises nothing.

    `judge` is null where none takes part. `measured` counts the earlier answers of this agent to this dataset that it
    rests on; with none it goes by a rule of thumb. `baseline` is the run that would be compared with, and
    `baseline_shares` how many of the cases it asked with the same content: no others can be compared. `stops_after` is
    about how many answers the cost limit allows where it is below the expected cost, null where it is not.
    """

    left_out = LeftOutCountsOut()
    model = serializers.CharField(help_text="The model that answers.")
    judge = EstimatedJudgeOut(allow_null=True)
    measured = serializers.IntegerField()
    baseline = serializers.UUIDField(allow_null=True)
    baseline_shares = serializers.IntegerField(allow_null=True)
    stops_after = serializers.IntegerField(allow_null=True)

    def to_representation(self, instance: Estimate) -> dict[str, Any]:
        baseline = instance.baseline
        return {
            **CostEstimateOut(instance.cost).data,
            "left_out": left_out_counts({cause.value: count for cause, count in instance.left_out.items()}),
            "model": instance.model,
            "judge": EstimatedJudgeOut(instance.judge).data if instance.judge else None,
            "measured": instance.measured,
            "baseline": str(baseline.pk) if baseline else None,
            "baseline_shares": instance.shared,
            "stops_after": instance.stops_after,
        }


def left_out_counts(counts: Mapping[str, int]) -> dict[str, int]:
    """Both causes, also where there is no such case."""
    return {cause: counts.get(cause, 0) for cause in ("anonymised", "nothing_to_check")}
