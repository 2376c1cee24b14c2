"""What the API gives of the figures of a test run: rates, costs, tags, evaluators (EV-D35 to EV-D38)."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evals.logic.classes import ChangeCounts
from evals.logic.evaluator_totals import EvaluatorTotals, Totals
from evals.logic.results import Latency
from evals.logic.statistics import mcnemar, verdict_on
from scoring.api.score_shapes import FINDING_KINDS
from scoring.logic.findings import Evaluator

RATE = "Passed of passed and failed; null with none of them, which is no result."
INTERVAL = "The 95% interval of the rate, over cases: its two ends."
MONEY: dict[str, Any] = {"max_digits": 18, "decimal_places": 10}


class TallyOut(serializers.Serializer[Any]):
    """Cases by result. Unscored ones are in no rate."""

    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    unscored = serializers.IntegerField()
    pass_rate = serializers.FloatField(source="rate", allow_null=True, help_text=RATE)
    interval = serializers.SerializerMethodField(help_text=INTERVAL)

    @extend_schema_field(serializers.ListField(child=serializers.FloatField(), allow_null=True))
    def get_interval(self, tally: Any) -> list[float] | None:
        return list(tally.interval) if tally.interval else None


class MoneyOut(serializers.Serializer[Any]):
    """USD; `at_least` where the price of a part is not known."""

    usd = serializers.DecimalField(source="amount", **MONEY)
    at_least = serializers.BooleanField(source="is_at_least")


class EvalSpendingOut(serializers.Serializer[Any]):
    """What a run cost: answering and grading in the first pass, and both of them while confirming."""

    agent = MoneyOut()
    judge = MoneyOut()
    confirming = MoneyOut()
    total = MoneyOut()


class TokensOut(serializers.Serializer[Any]):
    """Tokens of the agent."""

    input = serializers.IntegerField()
    output = serializers.IntegerField()


class LatencyOut(serializers.Serializer[Any]):
    """Milliseconds of the first answers to the cases; null where none is known."""

    median_ms = serializers.IntegerField(allow_null=True)
    p95_ms = serializers.IntegerField(allow_null=True)
    maximum_ms = serializers.IntegerField(allow_null=True)
    count = serializers.IntegerField()

    def to_representation(self, instance: Latency) -> dict[str, Any]:
        named = {"median_ms": instance.median, "p95_ms": instance.high, "maximum_ms": instance.maximum}
        return {name: milliseconds(value) for name, value in named.items()} | {"count": instance.count}


class ChangeCountsOut(serializers.Serializer[Any]):
    """Cases by what became of them since the other run.

    `changed`, `new`, `removed` and `unscored` make up `not_comparable`. `b` went from pass to fail and `c` from fail to
    pass before confirming; `p` is of the exact McNemar test over them, and `verdict` says what it means.
    """

    improved = serializers.IntegerField()
    improved_confirmed = serializers.IntegerField()
    regressed = serializers.IntegerField()
    regressed_confirmed = serializers.IntegerField()
    unchanged = serializers.IntegerField()
    flaky = serializers.IntegerField()
    not_comparable = serializers.IntegerField()
    changed = serializers.IntegerField()
    new = serializers.IntegerField()
    removed = serializers.IntegerField()
    unscored = serializers.IntegerField()
    graded_differently = serializers.IntegerField()
    b = serializers.IntegerField()
    c = serializers.IntegerField()
    p = serializers.SerializerMethodField()
    verdict = serializers.SerializerMethodField()

    def get_p(self, counts: ChangeCounts) -> float:
        return mcnemar(counts.b, counts.c)

    def get_verdict(self, counts: ChangeCounts) -> str:
        return _(verdict_on(counts.b, counts.c, counts.compared))


class TagRowOut(serializers.Serializer[Any]):
    """The cases of one tag; null for those without any. A case counts in each of its tags."""

    tag = serializers.CharField(allow_null=True)
    cases = TallyOut()
    regressed = serializers.IntegerField()
    improved = serializers.IntegerField()


class CriterionTotalsOut(serializers.Serializer[Any]):
    """What one criterion, or check of every case, made of the first answers; `mean` is of the grades."""

    id = serializers.CharField()
    kind = serializers.ChoiceField(FINDING_KINDS, source="origin")
    name = serializers.CharField(allow_blank=True)
    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    no_verdict = serializers.IntegerField()
    mean = serializers.FloatField(allow_null=True)


class EvaluatorTotalsOut(serializers.Serializer[Any]):
    """What one evaluator made of the first answers; `mean` is of its numbers, from 0 to 1."""

    evaluator = serializers.ChoiceField([one.value for one in Evaluator], source="name")
    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    no_verdict = serializers.IntegerField()
    not_applicable = serializers.IntegerField()
    mean = serializers.FloatField(allow_null=True)
    criteria = serializers.SerializerMethodField()

    @extend_schema_field(CriterionTotalsOut(many=True))
    def get_criteria(self, totals: EvaluatorTotals) -> Any:
        found: list[Totals] = list(totals.criteria.values())
        return CriterionTotalsOut(found, many=True).data


def milliseconds(seconds: float | None) -> int | None:
    """Whole milliseconds, as files write them."""
    return None if seconds is None else round(seconds * 1000)
