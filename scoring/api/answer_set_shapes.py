"""What the API takes and gives for stored answers and their sets."""

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api.serializers import MemberRef
from core.api.serializers import StrictSerializer, Text, WholeNumber
from core.limits import LIMITS
from scoring.logic.stored_answers import OUTCOMES
from scoring.queries.answer_sets import ShownSet
from scoring.queries.reason_words import in_words

LABEL = "What the answers are called, such as who gave them."
VERSION = "The version of the dataset whose cases are answered; the newest when left out."
AGENT = "The id of the agent that gave the answers, where it is one of Casebook's."


class MadeCallIn(serializers.Serializer[Any]):
    """A tool call. The names `name` and `arguments` are taken too, and so is a call as the OpenAI API has it."""

    tool = serializers.CharField(required=False)
    args = serializers.DictField(required=False)
    outcome = serializers.ChoiceField(OUTCOMES, required=False)


class StoredAnswerIn(serializers.Serializer[Any]):
    """One answer, to the case of this id, or to the one case of the version that asks `input`."""

    case_id = serializers.UUIDField(required=False, allow_null=True)
    input = serializers.CharField(required=False, allow_null=True)
    answer = serializers.CharField(allow_blank=True)
    tool_calls = MadeCallIn(many=True, required=False)
    cost_usd = serializers.FloatField(required=False, allow_null=True, min_value=0)
    latency_ms = serializers.FloatField(required=False, allow_null=True, min_value=0)


@extend_schema_field(StoredAnswerIn(many=True))
class SentAnswers(serializers.Field[Any, Any, Any, Any]):
    """The answers as they were sent: `scoring.logic.stored_answers` reads them."""

    default_error_messages = {"not_a_list": _("This must be a list.")}

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, list):
            self.fail("not_a_list")
        return data


class AnswerSetIn(StrictSerializer):
    """Answers that were given elsewhere, to be graded."""

    label = Text(max_length=LIMITS.name_characters, trim_whitespace=True, help_text=LABEL)  # type: ignore[assignment]
    agent = serializers.UUIDField(required=False, allow_null=True, help_text=AGENT)
    version = WholeNumber(required=False, allow_null=True, min_value=1, help_text=VERSION)
    answers = SentAnswers()


class AnswerFileIn(StrictSerializer):
    """The same as a .csv or .jsonl file of at most 10 MB; without a label its name is taken."""

    file = serializers.FileField()
    label = serializers.CharField(required=False, max_length=LIMITS.name_characters)  # type: ignore[assignment]
    agent = serializers.UUIDField(required=False, help_text=AGENT)
    version = serializers.IntegerField(required=False, min_value=1, help_text=VERSION)


class AgentRef(serializers.Serializer[Any]):
    """An agent, by name."""

    id = serializers.UUIDField()
    name = serializers.CharField()


class LeftOutOut(serializers.Serializer[Any]):
    """Answers that could not be graded: to cases whose text was erased, and to cases that give nothing to check."""

    erased = serializers.IntegerField(source="anonymised_count")
    nothing_to_check = serializers.IntegerField(source="unchecked_count")


class CountsOut(serializers.Serializer[Any]):
    """How the answers stand. The first four are all answers of the set.

    `judge_errors` and `judge_skipped` are answers on which the judge brought no verdict, whatever their outcome.
    """

    waiting = serializers.IntegerField()
    passed = serializers.IntegerField()
    failed = serializers.IntegerField()
    unscored = serializers.IntegerField()
    judge_errors = serializers.IntegerField()
    judge_skipped = serializers.IntegerField()


class AnswerSetOut(serializers.Serializer[Any]):
    """A set of stored answers. `pass_rate` is passed / (passed + failed); unscored answers are in no rate.

    It is null until each answer is graded, and where none of them passed or failed.
    `agent` is null too where the caller cannot see the agent.
    """

    id = serializers.UUIDField(source="row.id")
    label = serializers.CharField(source="row.label")  # type: ignore[assignment]
    version = serializers.IntegerField(source="row.version")
    agent = AgentRef(allow_null=True)
    asked_by = MemberRef(source="row.asked_by", allow_null=True)
    created_at = serializers.DateTimeField(source="row.created_at")
    answers = serializers.IntegerField(source="row.answer_count")
    left_out = LeftOutOut(source="row")
    counts = CountsOut(source="progress")
    pass_rate = serializers.FloatField(source="progress.pass_rate", allow_null=True)


class CauseOut(serializers.Serializer[Any]):
    """Why answers are unscored, and how many."""

    reason = serializers.CharField()
    count = serializers.IntegerField()


class AnswerSetDetailOut(AnswerSetOut):
    """`unanswered` are the cases of the version that have no answer here.

    `causes` say why answers are unscored, the commonest first; none where the caller may not read reasons.
    `eval_run` is the test run that these answers are, to be compared and checked like any other; null until all are
    graded, and for who may not read runs.
    """

    unanswered = serializers.IntegerField()
    eval_run = serializers.UUIDField(source="test_run.id", allow_null=True)
    causes = serializers.SerializerMethodField()

    @extend_schema_field(CauseOut(many=True))
    def get_causes(self, shown: ShownSet) -> list[dict[str, Any]]:
        return [{"reason": in_words(reason), "count": count} for reason, count in shown.causes]
