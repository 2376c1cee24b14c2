"""What the API gives of two test runs compared (EV-D39 to EV-D45)."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.pagination import KeysetQuery
from core.api.serializers import Choice
from core.limits import LIMITS
from evals.api.figure_shapes import ChangeCountsOut, EvalSpendingOut, LatencyOut, TallyOut
from evals.api.item_shapes import OUTCOMES, TAG, CaseChangeOut, EvalAttemptOut
from evals.api.run_shapes import EvalHeadOut
from evals.logic.compared_cases import CHANGE_FILTERS
from evals.logic.configurations import PARTS
from evals.queries.compared_pages import ShownDifference
from evals.queries.shown_items import ShownAttempt
from scoring.api.score_shapes import ScoreAnswerOut


class CompareQuery(KeysetQuery):
    """The earlier run to compare with, and which cases."""

    change = Choice([(one.value, one.value) for one in CHANGE_FILTERS], required=False)
    tag = serializers.CharField(required=False, max_length=LIMITS.tag_characters, help_text=TAG)

    def get_fields(self) -> dict[str, Any]:
        """`with` is no name that Python takes."""
        named = serializers.UUIDField(help_text="The id of another test run of the dataset.")
        return {"with": named, **super().get_fields()}


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}], "nullable": True})
class ValueOut(serializers.ReadOnlyField):
    """An id, a name or a number."""


class DifferenceOut(serializers.Serializer[Any]):
    """In what the two runs were started differently: `old` is of the earlier one.

    `fields` name what differs in settings and judge, whose values are in the configuration of each run. What names an
    agent is null where you may not see it.
    """

    part = serializers.ChoiceField(list(PARTS))
    old = ValueOut(allow_null=True)
    new = ValueOut(allow_null=True)
    fields = serializers.ListField(child=serializers.CharField())  # type: ignore[assignment]

    def to_representation(self, instance: ShownDifference) -> dict[str, Any]:
        found = instance.difference
        values = {"old": found.old, "new": found.new} if instance.is_open else {"old": None, "new": None}
        return {"part": found.part, **values, "fields": list(found.fields)}


class ComparedRunOut(EvalHeadOut):
    """One of the two runs, with its results over all its cases."""

    cases = TallyOut(source="totals.cases")
    cost = EvalSpendingOut(source="totals.spending")
    latency = LatencyOut(source="totals.latency")


class ComparedTagOut(serializers.Serializer[Any]):
    """The cases of one tag that are compared; null for those without any."""

    tag = serializers.CharField(allow_null=True)
    before = TallyOut()
    after = TallyOut()
    regressed = serializers.IntegerField()
    improved = serializers.IntegerField()
    flaky = serializers.IntegerField()


class ComparedAnswerOut(EvalAttemptOut):
    """One answer of the comparison, with its text for who may read it."""

    answer = serializers.SerializerMethodField()

    @extend_schema_field(ScoreAnswerOut(allow_null=True))
    def get_answer(self, shown: ShownAttempt) -> Any:
        return ScoreAnswerOut(shown.score).data if shown.score and shown.score.is_readable else None


class ComparedSideOut(serializers.Serializer[Any]):
    """A case in one of the two runs."""

    revision = serializers.IntegerField(source="case.revision")
    result = serializers.ChoiceField(OUTCOMES, source="item.result")
    attempts = ComparedAnswerOut(many=True)


class ComparedCaseOut(serializers.Serializer[Any]):
    """A case of at least one of the two runs, as it was asked last."""

    case = serializers.UUIDField(source="case.id")
    question = serializers.CharField(source="case.content.input")
    tags = serializers.ListField(child=serializers.CharField(), source="compared.tags")
    change = CaseChangeOut()
    before = ComparedSideOut(allow_null=True)
    after = ComparedSideOut(allow_null=True)


class ComparisonHeadOut(serializers.Serializer[Any]):
    """The two runs, what differs between them, and counts over all their cases."""

    before = ComparedRunOut()
    after = ComparedRunOut()
    differences = DifferenceOut(many=True)
    graded_differently = serializers.ListField(child=serializers.CharField())
    counts = ChangeCountsOut()
    tags = ComparedTagOut(many=True)


class ComparisonOut(ComparisonHeadOut):
    """The run, `after`, against the earlier one, `before`, with a page of the cases.

    `graded_differently` names the fields in which the judges differ: then no change that a judge took part in is
    confirmed.
    """

    results = ComparedCaseOut(many=True)
    next = serializers.URLField(allow_null=True)
    previous = serializers.URLField(allow_null=True)
