"""What the API takes and gives for scores; everything shown comes out of the one projection (SC-168)."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.serializers import MemberRef
from core.api.pagination import KeysetQuery
from core.api.serializers import Choice, StrictSerializer, Text, WholeNumber
from core.limits import LIMITS
from scoring.logic.findings import Evaluator, Origin, State, Verdict
from scoring.logic.pins import COMPARED
from scoring.models import JudgeTrouble, ScoreOrigin, ScoreOutcome, ScoreState
from scoring.queries.listed_scores import SORTS

FINDING_KINDS = [origin.value for origin in Origin]
# So many values of one filter are read.
MOST_VALUES = 50
HIDDEN = "Null where you may not read it: that takes `runs:view` and access to the agent that answered."


class ScoreIn(StrictSerializer):
    """A run to be graded against a case."""

    run_id = serializers.UUIDField()
    case_id = serializers.UUIDField()
    version = WholeNumber(
        required=False, allow_null=True, min_value=1, help_text="The version of the dataset; the newest when left out."
    )


class Several(serializers.ListField):
    """A parameter that may be named several times, of which one value is enough (RV-D7); a refusal names it."""

    def to_internal_value(self, data: Any) -> list[Any]:
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as refusal:
            found = refusal.detail.values() if isinstance(refusal.detail, dict) else [refusal.detail]
            raise serializers.ValidationError([message for messages in found for message in messages]) from None


def several(child: Any, help_text: str) -> Several:
    """One filter of this kind."""
    text = f"{help_text} May be named several times."
    return Several(child=child, required=False, max_length=MOST_VALUES, help_text=text)


class ScoreFilterQuery(StrictSerializer):
    """Which scores, in which order."""

    outcome = several(Choice(ScoreOutcome.choices), "What counts: a person's decision, or else what grading found.")
    state = Choice(ScoreState.choices, required=False)
    origin = several(Choice(ScoreOrigin.choices), "Where the answer came from.")
    agent = several(serializers.UUIDField(), "The id of the agent that answered.")
    case = serializers.UUIDField(required=False, help_text="The id of a case.")
    answer_set = several(serializers.UUIDField(), "The id of a set of stored answers.")
    eval_run = several(serializers.UUIDField(), "The id of a test run; takes `runs:view`.")
    sort = Choice([(name, name) for name in SORTS], required=False, help_text="The newest first when left out.")
    tag = several(serializers.CharField(max_length=LIMITS.tag_characters), "A tag of the case as it was graded.")


class ScoreQuery(ScoreFilterQuery, KeysetQuery):
    """Which scores, a page at a time."""


class RescoreIn(StrictSerializer):
    """Which scores to grade again."""

    score_ids = serializers.ListField(child=Text(), help_text="At most ten ids of scores of this dataset.")


class ScoreOpenedOut(serializers.Serializer[Any]):
    """The score that waits to be graded; ask for it again until its `state` is `done`."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(ScoreState.choices)


class RescoredOut(serializers.Serializer[Any]):
    """The ids that are graded again, and those that stay as they are because every verdict is there."""

    accepted = serializers.ListField(child=serializers.UUIDField())
    unchanged = serializers.ListField(child=serializers.UUIDField())


class ScoreAgentOut(serializers.Serializer[Any]):
    """The agent that answered, and which of its versions; null where that is not known."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    version = serializers.IntegerField(allow_null=True)


EMPTY_IS_NULL = ("outcome", "final_outcome", "review", "judge_trouble", "why", "model")


class ScoreOut(serializers.Serializer[Any]):
    """A score. `outcome` is what grading found, null while it is being graded; `score` from 0 to 1 or null.

    `judge_trouble` says that the judge was skipped or failed. `readable` says whether you may read answer, reasons and
    quotes. `graded_differently` names the fields in which its judge differs from the one of the newest judged score of
    the dataset: such grades are not to be compared. Costs are in USD; with `seconds` and `run` they take `runs:view`.
    """

    id = serializers.UUIDField()
    case = serializers.UUIDField(source="case_id")
    version = serializers.IntegerField(help_text="The version of the dataset.")
    question = serializers.SerializerMethodField(help_text="Of the case as it was graded.")
    origin = serializers.ChoiceField(ScoreOrigin.choices)
    answer_set = serializers.UUIDField(source="score.answer_set_id", allow_null=True)
    eval_run = serializers.SerializerMethodField(help_text="The test run that it is part of. It takes `runs:view`.")
    state = serializers.ChoiceField(ScoreState.choices)
    outcome = serializers.ChoiceField(ScoreOutcome.choices, allow_null=True)
    final_outcome = serializers.ChoiceField(
        ScoreOutcome.choices, allow_null=True, source="final", help_text="A person's decision, or else `outcome`."
    )
    review = serializers.ChoiceField(
        ["waiting", "decided"], allow_null=True, source="review_status", help_text="Null where it is neither."
    )
    score = serializers.FloatField(source="number", allow_null=True)
    judge_trouble = serializers.ChoiceField(JudgeTrouble.choices, allow_null=True)
    why = serializers.CharField(allow_null=True, help_text=f"Why it is unscored. {HIDDEN}")
    agent = serializers.SerializerMethodField()
    model = serializers.CharField(allow_null=True, help_text="The model that answered.")
    run = serializers.UUIDField(source="run_id", allow_null=True)
    judge_run = serializers.UUIDField(source="judge_run_id", allow_null=True)
    cost = serializers.DecimalField(max_digits=18, decimal_places=10, allow_null=True)
    seconds = serializers.FloatField(allow_null=True)
    judge_cost = serializers.DecimalField(max_digits=18, decimal_places=10, allow_null=True)
    readable = serializers.BooleanField(source="is_readable")
    graded_differently = serializers.ListField(child=serializers.ChoiceField(list(COMPARED)), source="differing")
    asked_by = MemberRef(allow_null=True)
    created_at = serializers.DateTimeField()
    graded_at = serializers.DateTimeField(allow_null=True)

    def get_eval_run(self, row: Any) -> UUID | None:
        return row.test_run.id if row.test_run else None

    def get_question(self, row: Any) -> str | None:
        return row.case.content.input if row.case else None

    @extend_schema_field(ScoreAgentOut(allow_null=True))
    def get_agent(self, row: Any) -> dict[str, Any] | None:
        if row.agent is None:
            return None
        return {"id": str(row.agent.pk), "name": row.agent.name, "version": row.agent_version}

    def to_representation(self, instance: Any) -> dict[str, Any]:
        shown = super().to_representation(instance)
        return shown | {name: shown[name] or None for name in EMPTY_IS_NULL}


class QuoteOut(serializers.Serializer[Any]):
    """A passage that the judge quoted; verified where the answer contains it."""

    text = serializers.CharField()
    verified = serializers.BooleanField()


class FindingOut(serializers.Serializer[Any]):
    """One check or criterion. `why` are Casebook's words; `grade`, `reason`, `rule` and `quotes` are the judge's.

    `verified` is false for a grade that rests on nothing found in the answer.
    """

    id = serializers.CharField(source="finding.id")
    kind = serializers.ChoiceField(FINDING_KINDS, source="finding.origin.value")
    name = serializers.CharField(source="heading", allow_blank=True)
    verdict = serializers.ChoiceField([verdict.value for verdict in Verdict], source="finding.verdict.value")
    required = serializers.BooleanField(source="finding.required")  # type: ignore[assignment]
    cause = serializers.CharField(source="finding.cause", allow_blank=True)
    why = serializers.CharField(allow_blank=True)
    grade = serializers.IntegerField(source="finding.grade", allow_null=True)
    reason = serializers.CharField(source="finding.reason", allow_blank=True)
    rule = serializers.CharField(source="finding.rule", allow_blank=True)
    quotes = QuoteOut(source="finding.quotes", many=True)
    verified = serializers.SerializerMethodField()

    def get_verified(self, shown: Any) -> bool:
        return not shown.finding.is_unverified


class ResultOut(serializers.Serializer[Any]):
    """What one evaluator that was on found. `score` is from 0 to 1, null without a verdict."""

    evaluator = serializers.ChoiceField([one.value for one in Evaluator], source="result.evaluator.value")
    must_pass = serializers.BooleanField(source="result.must_pass")
    state = serializers.ChoiceField([state.value for state in State], source="result.state.value")
    score = serializers.FloatField(source="result.number", allow_null=True)
    why = serializers.SerializerMethodField(help_text=HIDDEN)
    findings = serializers.SerializerMethodField(help_text=HIDDEN)

    def get_why(self, shown: Any) -> str | None:
        return shown.why if shown.is_readable else None

    @extend_schema_field(FindingOut(many=True, allow_null=True))
    def get_findings(self, shown: Any) -> Any:
        return FindingOut(shown.findings, many=True).data if shown.is_readable else None


class PinOut(serializers.Serializer[Any]):
    """By which judge it was graded, or would have been. `temperature` is null where none was sent."""

    judge_kind = serializers.CharField()
    judge_id = serializers.CharField(allow_null=True)
    judge_version = serializers.IntegerField(allow_null=True)
    provider = serializers.CharField(allow_null=True)
    model = serializers.CharField(allow_null=True)
    criteria_hash = serializers.CharField()
    task_version = serializers.IntegerField()
    instructions_hash = serializers.CharField()
    temperature = serializers.FloatField(allow_null=True)


class ScoreCallOut(serializers.Serializer[Any]):
    """A tool call of the answer; `arguments` is an object, or the text as it was sent."""

    tool = serializers.CharField()
    arguments = serializers.JSONField()
    outcome = serializers.CharField(allow_blank=True)


class ScoreAnswerOut(serializers.Serializer[Any]):
    """The copy of the answer that was graded, with credentials hidden; `cut` where it was longer."""

    text = serializers.CharField(source="answer", allow_blank=True)
    cut = serializers.BooleanField(source="answer_was_cut")
    tool_calls = ScoreCallOut(source="calls", many=True)


class AttemptOut(serializers.Serializer[Any]):
    """An earlier try at grading it."""

    number = serializers.IntegerField(source="attempt.number")
    graded_at = serializers.DateTimeField(allow_null=True)
    why = serializers.SerializerMethodField(help_text=HIDDEN)
    results = ResultOut(many=True)
    pin = PinOut(allow_null=True)

    def get_why(self, shown: Any) -> str | None:
        return shown.why or None


class ScoreDetailOut(ScoreOut):
    """A score whole. `settings` is the copy of the grading settings it was computed with.

    `removed_at` is when answer and words were cleared by an erasure; `attempts` are earlier tries, the oldest first.
    """

    results = ResultOut(many=True)
    answer = serializers.SerializerMethodField(help_text=HIDDEN)
    removed_at = serializers.DateTimeField(source="answer_removed_at", allow_null=True)
    unreadable_reply = serializers.SerializerMethodField(help_text=f"The beginning of it. {HIDDEN}")
    pin = PinOut(allow_null=True)
    settings = serializers.DictField(source="score.snapshot.settings")
    attempts = AttemptOut(many=True)

    @extend_schema_field(ScoreAnswerOut(allow_null=True))
    def get_answer(self, shown: Any) -> Any:
        return ScoreAnswerOut(shown).data if shown.is_readable else None

    def get_unreadable_reply(self, shown: Any) -> str | None:
        return shown.unreadable_reply or None
